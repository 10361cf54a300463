package dev.starling.peer.simulation;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;

/** A path on a virtual disk: names between slashes, without dots. */
final class VirtualPath implements Path {

    private final VirtualFileSystem system;
    private final String text;

    VirtualPath(VirtualFileSystem system, String text) {
        String plain = text.replaceAll("/+", "/");
        this.system = system;
        this.text = plain.length() > 1 && plain.endsWith("/") ? plain.substring(0, plain.length() - 1) : plain;
    }

    private Path of(String other) {
        return new VirtualPath(system, other);
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (String name : text.split("/")) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public FileSystem getFileSystem() {
        return system;
    }

    @Override
    public boolean isAbsolute() {
        return text.startsWith("/");
    }

    @Override
    public Path getRoot() {
        return isAbsolute() ? of("/") : null;
    }

    @Override
    public Path getFileName() {
        List<String> names = names();
        return names.isEmpty() ? null : of(names.get(names.size() - 1));
    }

    @Override
    public Path getParent() {
        int slash = text.lastIndexOf('/');
        if (slash < 0 || text.equals("/")) {
            return null;
        }
        return of(slash == 0 ? "/" : text.substring(0, slash));
    }

    @Override
    public int getNameCount() {
        return names().size();
    }

    @Override
    public Path getName(int index) {
        return of(names().get(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return of(String.join("/", names().subList(from, to)));
    }

    @Override
    public boolean startsWith(Path other) {
        return other.toString().equals("/") ? isAbsolute() : (text + "/").startsWith(other + "/");
    }

    @Override
    public boolean endsWith(Path other) {
        return ("/" + text).endsWith("/" + other);
    }

    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path resolve(Path other) {
        return other.isAbsolute() ? other : of(text + "/" + other);
    }

    @Override
    public Path relativize(Path other) {
        if (!other.startsWith(this)) {
            throw new UnsupportedOperationException();
        }
        // The way down from where one already is has no steps at all.
        return of(other.equals(this) ? "" : other.toString().substring(text.equals("/") ? 1 : text.length() + 1));
    }

    @Override
    public URI toUri() {
        return URI.create("virtual:" + text);
    }

    @Override
    public Path toAbsolutePath() {
        return isAbsolute() ? this : of("/" + text);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Path other) {
        return text.compareTo(other.toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VirtualPath path && path.system == system && path.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
