/** Problems, and what proves how near a parameter is to their optimum: dual points, searched for, or curvature. */
package dev.starling.verify.proof;
