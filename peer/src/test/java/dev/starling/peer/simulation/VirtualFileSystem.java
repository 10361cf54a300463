package dev.starling.peer.simulation;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A virtual disk as the code under test sees it: as much of a file system as that code uses. */
final class VirtualFileSystem extends FileSystem {

    private final VirtualDisk disk;
    private final Provider provider = new Provider();

    VirtualFileSystem(VirtualDisk disk) {
        this.disk = disk;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(getPath("/"));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "posix");
    }

    @Override
    public Path getPath(String first, String... more) {
        return new VirtualPath(this, more.length == 0 ? first : first + "/" + String.join("/", more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException();
    }

    private final class Provider extends FileSystemProvider {

        @Override
        public String getScheme() {
            return "virtual";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path getPath(URI uri) {
            throw new UnsupportedOperationException();
        }

        private VirtualDisk.Node require(String path) throws IOException {
            VirtualDisk.Node node = disk.get(path);
            if (node == null) {
                throw new NoSuchFileException(path);
            }
            return node;
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            String name = path.toString();
            VirtualDisk.Node node = disk.get(name);
            boolean creates =
                    options.contains(StandardOpenOption.CREATE) || options.contains(StandardOpenOption.CREATE_NEW);
            if (node != null && options.contains(StandardOpenOption.CREATE_NEW)) {
                throw new FileAlreadyExistsException(name);
            }
            if (node == null && creates) {
                require(path.getParent().toString());
                node = disk.create(name, false);
            } else {
                node = require(name);
            }
            if (options.contains(StandardOpenOption.TRUNCATE_EXISTING) && node.content.length > 0) {
                disk.truncate(name, node, 0);
            }
            return new VirtualChannel(disk, name, node, options.contains(StandardOpenOption.APPEND));
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            require(directory.toString());
            List<Path> paths = disk.list(directory.toString()).stream()
                    .map(name -> VirtualFileSystem.this.getPath(name))
                    .toList();
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return paths.iterator();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
            if (disk.get(path.toString()) != null) {
                throw new FileAlreadyExistsException(path.toString());
            }
            require(path.getParent().toString());
            disk.create(path.toString(), true);
        }

        @Override
        public void delete(Path path) throws IOException {
            require(path.toString());
            disk.delete(path.toString());
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) throws IOException {
            require(source.toString());
            disk.move(source.toString(), target.toString());
        }

        @Override
        public boolean isSameFile(Path one, Path other) {
            return one.equals(other);
        }

        @Override
        public boolean isHidden(Path path) {
            return false;
        }

        @Override
        public FileStore getFileStore(Path path) {
            return STORE;
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            require(path.toString());
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return type.cast(new Attributes(require(path.toString())));
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
            throw new UnsupportedOperationException();
        }
    }

    private static final FileStore STORE = new FileStore() {
        @Override
        public String name() {
            return "virtual";
        }

        @Override
        public String type() {
            return "virtual";
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public long getTotalSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public long getUsableSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public long getUnallocatedSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean supportsFileAttributeView(Class<? extends java.nio.file.attribute.FileAttributeView> type) {
            return true;
        }

        @Override
        public boolean supportsFileAttributeView(String name) {
            return true;
        }

        @Override
        public <V extends java.nio.file.attribute.FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
            return null;
        }

        @Override
        public Object getAttribute(String attribute) {
            throw new UnsupportedOperationException();
        }
    };

    private record Attributes(VirtualDisk.Node node) implements PosixFileAttributes {
        @Override
        public FileTime lastModifiedTime() {
            return FileTime.fromMillis(0);
        }

        @Override
        public FileTime lastAccessTime() {
            return FileTime.fromMillis(0);
        }

        @Override
        public FileTime creationTime() {
            return FileTime.fromMillis(0);
        }

        @Override
        public boolean isRegularFile() {
            return !node.directory;
        }

        @Override
        public boolean isDirectory() {
            return node.directory;
        }

        @Override
        public boolean isSymbolicLink() {
            return false;
        }

        @Override
        public boolean isOther() {
            return false;
        }

        @Override
        public long size() {
            return node.content.length;
        }

        @Override
        public Object fileKey() {
            return node;
        }

        @Override
        public UserPrincipal owner() {
            return null;
        }

        @Override
        public GroupPrincipal group() {
            return null;
        }

        @Override
        public Set<PosixFilePermission> permissions() {
            return PosixFilePermissions.fromString(node.directory ? "rwx------" : "rw-------");
        }
    }

    /** An open file. */
    private static final class VirtualChannel extends FileChannel {
        private final VirtualDisk disk;
        private final String path;
        private final VirtualDisk.Node node;
        private final boolean appends;
        private int position;

        VirtualChannel(VirtualDisk disk, String path, VirtualDisk.Node node, boolean appends) {
            this.disk = disk;
            this.path = path;
            this.node = node;
            this.appends = appends;
        }

        private void requireOpen() throws IOException {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
        }

        @Override
        public int read(ByteBuffer buffer) throws IOException {
            requireOpen();
            int count = Math.min(buffer.remaining(), node.content.length - position);
            if (count <= 0) {
                return node.content.length <= position && buffer.hasRemaining() ? -1 : 0;
            }
            buffer.put(node.content, position, count);
            position += count;
            return count;
        }

        @Override
        public int write(ByteBuffer buffer) throws IOException {
            requireOpen();
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            int at = appends ? node.content.length : position;
            disk.write(path, node, at, bytes);
            position = at + bytes.length;
            return bytes.length;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public FileChannel position(long newPosition) {
            position = (int) newPosition;
            return this;
        }

        @Override
        public long size() {
            return node.content.length;
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            requireOpen();
            if (size < node.content.length) {
                disk.truncate(path, node, (int) size);
            }
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            requireOpen();
            disk.force(path, node);
        }

        @Override
        public FileLock tryLock(long from, long size, boolean shared) {
            if (!disk.lock(path)) {
                return null;
            }
            return new FileLock(this, from, size, shared) {
                private boolean valid = true;

                @Override
                public boolean isValid() {
                    return valid;
                }

                @Override
                public void release() {
                    valid = false;
                    disk.unlock(path);
                }
            };
        }

        @Override
        protected void implCloseChannel() {
            // As everywhere, closing a file gives up the lock on it.
            disk.unlock(path);
        }

        @Override
        public long read(ByteBuffer[] buffers, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] buffers, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long from, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long from, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(ByteBuffer buffer, long from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer buffer, long from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long from, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long from, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }

    @Override
    public String toString() {
        return "virtual disk " + Arrays.toString(disk.list("/").toArray());
    }
}
