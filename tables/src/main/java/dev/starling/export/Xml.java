package dev.starling.export;

import dev.starling.data.InvalidInputException;
import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes XML, one element per line, indented. */
final class Xml {

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter out;
    private int depth;

    Xml() {
        try {
            out = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            out.writeStartDocument("UTF-8", "1.0");
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts an element; attributes are alternating names and values. */
    Xml open(String name, Object... attributes) {
        try {
            newLine();
            out.writeStartElement(name);
            attributes(attributes);
            depth++;
            return this;
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends the element that was started last. */
    Xml close() {
        try {
            depth--;
            newLine();
            out.writeEndElement();
            return this;
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes an element that contains nothing but text. */
    Xml leaf(String name, String content, Object... attributes) {
        try {
            newLine();
            if (content.isEmpty()) {
                out.writeEmptyElement(name);
                attributes(attributes);
            } else {
                out.writeStartElement(name);
                attributes(attributes);
                out.writeCharacters(legal(content));
                out.writeEndElement();
            }
            return this;
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
    }

    private void attributes(Object... attributes) throws XMLStreamException {
        for (int k = 0; k < attributes.length; k += 2) {
            out.writeAttribute(attributes[k].toString(), legal(attributes[k + 1].toString()));
        }
    }

    private void newLine() throws XMLStreamException {
        out.writeCharacters("\n" + "  ".repeat(depth));
    }

    /**
     * XML cannot hold control characters, not even escaped, and within attributes readers turn all white space into
     * spaces.
     */
    private static String legal(String value) {
        if (value.chars().anyMatch(c -> c < ' ' || c == 0xfffe || c == 0xffff)) {
            throw new InvalidInputException("'" + value.replaceAll("\\p{Cntrl}", "?")
                    + "' holds a control character, which XML cannot; rename the level or the column");
        }
        return value;
    }

    @Override
    public String toString() {
        try {
            out.flush();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text + "\n";
    }
}
