"""Runs solvers side by side on the same files, to the same measured objective."""
