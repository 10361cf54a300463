package dev.starling.support;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;

/**
 * A page as a real browser shows it.
 *
 * @param out what the browser printed: the document after its scripts, if asked for
 * @param err what it complained of
 */
public record Browser(String out, String err) {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final long LIMIT_SECONDS = 90;

    /** Opens a page and ends; ends the test instead where there is no browser. */
    public static Browser browse(Path folder, URI page, String... options) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(CHROMIUM), "pages are not looked at without " + CHROMIUM);
        Path profile = Files.createTempDirectory(folder, "profile");
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        List<String> command = new ArrayList<>(List.of(
                CHROMIUM.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--user-data-dir=" + profile));
        command.addAll(List.of(options));
        command.add(page.toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the browser does not end");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Browser(
                Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    /** A picture of a page. */
    public static BufferedImage picture(Path folder, URI page, int width, int height, String... more)
            throws IOException, InterruptedException {
        Path picture = Files.createTempFile(folder, "picture", ".png");
        List<String> options =
                new ArrayList<>(List.of("--screenshot=" + picture, "--window-size=" + width + "," + height));
        options.addAll(List.of(more));
        browse(folder, page, options.toArray(String[]::new));
        BufferedImage image = ImageIO.read(picture.toFile());
        if (image.getWidth() != width || image.getHeight() != height) {
            throw new AssertionError("a picture of " + image.getWidth() + " times " + image.getHeight() + " pixels");
        }
        return image;
    }

    /** How wide a page is on a phone of 390 pixels: more than that if something sticks out. */
    public static String onAPhone(Path folder, String page) throws IOException, InterruptedException {
        // The browser's own window cannot be as narrow as a phone, a frame can.
        Path frame = Files.createTempFile(folder, "frame", ".html");
        Files.writeString(
                frame,
                "<!DOCTYPE html><body><iframe id='phone' srcdoc=\""
                        + page.replace("&", "&amp;").replace("\"", "&quot;")
                        + "\" style='width:390px;height:800px;border:0'></iframe><p id='width'></p><script>"
                        + "const f=document.getElementById('phone');f.onload=()=>{"
                        + "document.getElementById('width').textContent='width '"
                        + "+f.contentDocument.documentElement.scrollWidth};</script>");
        return browse(folder, frame.toUri(), "--dump-dom", "--virtual-time-budget=3000")
                .out();
    }

    /** How many pixels have exactly a colour. */
    public static long pixels(BufferedImage image, int rgb) {
        int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        return Arrays.stream(all).filter(pixel -> (pixel & 0xFFFFFF) == rgb).count();
    }

    /** What the page's scripts complained of. */
    public List<String> complaints() {
        return err.lines().filter(line -> line.contains("CONSOLE")).toList();
    }
}
