package dev.starling.connect;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.spark.connect.proto.Command;
import org.apache.spark.connect.proto.ConfigRequest;
import org.apache.spark.connect.proto.ExecutePlanRequest;
import org.apache.spark.connect.proto.ExecutePlanResponse;
import org.apache.spark.connect.proto.Expression;
import org.apache.spark.connect.proto.Fetch;
import org.apache.spark.connect.proto.KeyValue;
import org.apache.spark.connect.proto.MlCommand;
import org.apache.spark.connect.proto.MlCommandResult;
import org.apache.spark.connect.proto.MlOperator;
import org.apache.spark.connect.proto.MlParams;
import org.apache.spark.connect.proto.ObjectRef;
import org.apache.spark.connect.proto.Plan;
import org.apache.spark.connect.proto.Read;
import org.apache.spark.connect.proto.Relation;
import org.apache.spark.connect.proto.SparkConnectServiceGrpc;
import org.apache.spark.connect.proto.UserContext;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connect.ml.MLUtils;
import org.apache.spark.sql.connect.service.SparkConnectService;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.sparkproject.connect.grpc.ManagedChannel;
import org.sparkproject.connect.grpc.ManagedChannelBuilder;
import scala.Option;

/** A Spark Connect server on a port of loopback, in this process, and its clients, which speak protobuf to it. */
final class ConnectServer implements AutoCloseable {

    private static final int NEWEST_JAVA = 21;
    private static final int PORT = 0;

    private final SparkSession spark;
    private final ManagedChannel channel;

    ConnectServer(String master) {
        assumeTrue(
                Runtime.version().feature() <= NEWEST_JAVA,
                "Spark 4 runs on Java 17 and 21, this is " + Runtime.version().feature());
        spark = SparkSession.builder()
                .master(master)
                .appName("starling-connect tests")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.connect.grpc.binding.address", "127.0.0.1")
                .config("spark.connect.grpc.binding.port", PORT)
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/starling-warehouse")
                .getOrCreate();
        spark.sparkContext().setLogLevel("WARN");
        SparkConnectService.start(spark.sparkContext());
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", SparkConnectService$.MODULE$.localPort())
                .usePlaintext()
                .maxInboundMessageSize(1 << 28)
                .build();
    }

    SparkSession spark() {
        return spark;
    }

    /** A client whose session has Starling's plugin, as {@code .config(…)} of PySpark's builder asks for it. */
    Client withStarling() {
        Client client = new Client();
        client.set("spark.connect.ml.backend.classes", "dev.starling.spark.ConnectPlugin");
        return client;
    }

    /** A client whose session is as it always was. */
    Client withMllib() {
        return new Client();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        SparkConnectService.stop(Option.apply(5L), Option.apply(TimeUnit.SECONDS));
        spark.stop();
    }

    /** One client. */
    final class Client {

        private final String session = UUID.randomUUID().toString();
        private final UserContext user =
                UserContext.newBuilder().setUserId("test").build();

        private SparkConnectServiceGrpc.SparkConnectServiceBlockingStub stub() {
            return SparkConnectServiceGrpc.newBlockingStub(channel).withDeadlineAfter(300, TimeUnit.SECONDS);
        }

        private void set(String key, String value) {
            stub().config(ConfigRequest.newBuilder()
                    .setSessionId(session)
                    .setUserContext(user)
                    .setOperation(ConfigRequest.Operation.newBuilder()
                            .setSet(ConfigRequest.Set.newBuilder()
                                    .addPairs(KeyValue.newBuilder().setKey(key).setValue(value))))
                    .build());
        }

        private MlCommandResult execute(MlCommand command) {
            Iterator<ExecutePlanResponse> answers = stub().executePlan(ExecutePlanRequest.newBuilder()
                    .setSessionId(session)
                    .setUserContext(user)
                    .setPlan(Plan.newBuilder().setCommand(Command.newBuilder().setMlCommand(command)))
                    .build());
            MlCommandResult result = null;
            while (answers.hasNext()) {
                ExecutePlanResponse answer = answers.next();
                if (answer.hasMlCommandResult()) {
                    result = answer.getMlCommandResult();
                }
            }
            if (result == null) {
                throw new IllegalStateException("no result for " + command);
            }
            return result;
        }

        /** Fits an estimator of MLlib's to a table, and returns the reference of the model. */
        String fit(String estimator, Map<String, Object> params, String table) {
            MlParams.Builder values = MlParams.newBuilder();
            params.forEach((name, value) -> values.putParams(name, literal(value)));
            return execute(MlCommand.newBuilder()
                            .setFit(MlCommand.Fit.newBuilder()
                                    .setEstimator(MlOperator.newBuilder()
                                            .setName("org.apache.spark.ml." + estimator)
                                            .setUid(estimator)
                                            .setType(MlOperator.OperatorType.OPERATOR_TYPE_ESTIMATOR))
                                    .setParams(values)
                                    .setDataset(Relation.newBuilder()
                                            .setRead(Read.newBuilder()
                                                    .setNamedTable(Read.NamedTable.newBuilder()
                                                            .setUnparsedIdentifier("global_temp." + table)))))
                            .build())
                    .getOperatorInfo()
                    .getObjRef()
                    .getId();
        }

        private Expression.Literal fetch(String model, String... methods) {
            Fetch.Builder fetch =
                    Fetch.newBuilder().setObjRef(ObjectRef.newBuilder().setId(model));
            List.of(methods)
                    .forEach(name -> fetch.addMethods(Fetch.Method.newBuilder().setMethod(name)));
            return execute(MlCommand.newBuilder().setFetch(fetch).build()).getParam();
        }

        double number(String model, String... methods) {
            Expression.Literal literal = fetch(model, methods);
            return literal.hasInteger()
                    ? literal.getInteger()
                    : literal.hasLong() ? literal.getLong() : literal.getDouble();
        }

        String text(String model, String... methods) {
            return fetch(model, methods).getString();
        }

        double[] numbers(String model, String... methods) {
            return fetch(model, methods).getArray().getElementsList().stream()
                    .mapToDouble(Expression.Literal::getDouble)
                    .toArray();
        }

        Vector vector(String model, String... methods) {
            return MLUtils.deserializeVector(fetch(model, methods).getStruct());
        }

        Matrix matrix(String model, String... methods) {
            return MLUtils.deserializeMatrix(fetch(model, methods).getStruct());
        }

        /** Saves a model. */
        void save(String model, String path) {
            execute(MlCommand.newBuilder()
                    .setWrite(MlCommand.Write.newBuilder()
                            .setObjRef(ObjectRef.newBuilder().setId(model))
                            .setPath(path)
                            .setShouldOverwrite(true))
                    .build());
        }
    }

    private static Expression.Literal literal(Object value) {
        Expression.Literal.Builder literal = Expression.Literal.newBuilder();
        if (value instanceof Boolean truth) {
            literal.setBoolean(truth);
        } else if (value instanceof Integer whole) {
            literal.setInteger(whole);
        } else if (value instanceof Double number) {
            literal.setDouble(number);
        } else {
            literal.setString((String) value);
        }
        return literal.build();
    }
}
