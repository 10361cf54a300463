package dev.starling.network;

/** placeholder, to be replaced */
public final class Network {
    private Network() {}
}
