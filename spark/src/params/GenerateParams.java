import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the interfaces with the Params, defaults, getters and setters that params.tsv lists, as Spark does for its shared Params. */
public final class GenerateParams {

    private static final Map<String, List<String>> KINDS = Map.of(
            "text", List.of("Param<String>", "String", ""),
            "texts", List.of("StringArrayParam", "String[]", ""),
            "number", List.of("DoubleParam", "double", "(Double) "),
            "whole", List.of("IntParam", "int", "(Integer) "),
            "longWhole", List.of("LongParam", "long", "(Long) "),
            "truth", List.of("BooleanParam", "boolean", "(Boolean) "));

    private GenerateParams() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[1], "dev", "starling", "spark", "params"));
        String[] names = {};
        List<String[]> params = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            if (line.startsWith("[")) {
                write(folder, names, params);
                names = line.substring(1, line.length() - 1).split(" ");
                params.clear();
            } else if (!line.isBlank() && !line.startsWith("#")) {
                params.add(line.split("\t"));
            }
        }
        write(folder, names, params);
    }

    private static void write(Path folder, String[] names, List<String[]> params) throws IOException {
        StringBuilder readers = new StringBuilder();
        StringBuilder setters = new StringBuilder();
        StringBuilder table = new StringBuilder();
        for (String[] param : params) {
            String name = param[0];
            String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
            List<String> kind = KINDS.get(param[1]);
            String doc = param[5];
            boolean stands = param[3].matches("[A-Z].*");
            String setting = "dev.starling.settings.Setting." + param[3].replace("?", "");
            String usual = !param[2].equals("-") ? param[2] : setting + (param[1].equals("text") ? ".usualText()" : ".usual()");
            String help = param[3].equals("-") ? '"' + doc + '"' : setting + ".help()";
            table.append("\n        own.add(new ").append(kind.get(0)).append("(own.owner(), \"").append(name).append("\", ").append(help)
                    .append(param[4].equals("-") ? "" : ", ParamValidators." + param[4]).append("), ").append(usual)
                    .append(stands ? ", " + setting : "").append(");");
            member(readers, "Param for " + doc, kind.get(0) + " " + name + "()",
                    "return ownParams().named(\"" + name + "\");");
            member(readers, "Returns " + doc, kind.get(1) + " get" + capital + "()",
                    "return " + kind.get(2) + "getOrDefault(" + name + "());");
            member(setters, "Sets " + doc, "E set" + capital + "(" + kind.get(1) + " value)",
                    (param.length > 6 ? param[6] + ";\n        " : "") + "return with(" + name + "(), value);");
        }
        readers.append("\n    /** Adds them, with their defaults, to those of an estimator or model. */\n    static void addTo(OwnParams own) {")
                .append(table).append("\n    }\n");
        if (names.length == 1) {
            file(folder, names[0], "E", "ParamOwner<E>", "Params with their getters and setters.", readers.append(setters));
        } else if (names.length == 2) {
            file(folder, names[0], "E", "ParamOwner<E>", "Params about training, with their getters.", readers);
            file(folder, names[1], "E extends " + names[1] + "<E>", names[0] + "<E>",
                    "The setters of Starling's estimators; each returns the estimator.", setters);
        }
    }

    private static void member(StringBuilder members, String comment, String signature, String body) {
        members.append("\n    /** ").append(comment).append(". */\n    default ").append(signature).append(" {\n        ")
                .append(body).append("\n    }\n");
    }

    private static void file(Path folder, String name, String type, String above, String comment, CharSequence members)
            throws IOException {
        Files.writeString(folder.resolve(name + ".java"), "package dev.starling.spark.params;\n\n"
                + (members.toString().contains("Param for") ? "import org.apache.spark.ml.param.*;\n\n" : "")
                + "/**\n * " + comment + "\n *\n * @param <E> the estimator or model\n */\npublic interface "
                + name + "<" + type + "> extends " + above + " {\n" + members + "}\n");
    }
}
