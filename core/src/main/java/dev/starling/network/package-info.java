/**
 * The graphs over which nodes communicate: by name, from a file or from edges, with the quantities that theory needs.
 *
 * <pre>{@code
 * Network ring = Topology.named("ring").build(16, 0);
 * Network random = Topology.named("erdos-renyi:0.3").build(16, 42);   // the same for the same seed
 * Network triangle = Network.of(3, new int[][] {{0, 1}, {1, 2}, {2, 0}});
 * Network sites = EdgeListReader.read(Path.of("sites.txt"));
 * double gamma = Spectrum.of(ring).gamma();   // how well it is connected
 * Network again = random.recipe().build();    // bit for bit
 * }</pre>
 */
package dev.starling.network;
