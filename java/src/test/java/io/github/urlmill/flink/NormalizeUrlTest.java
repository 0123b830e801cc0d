package io.github.urlmill.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.urlmill.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;

/** Flink runs the function, in a cluster of its own within this process. */
class NormalizeUrlTest {
  private static final String ROWS =
      "(VALUES (1, 'HTTP://A/?utm_id=1&b#c'), (2, 'x'), (3, CAST(NULL AS STRING))) AS t(id, url)";

  @Test
  void sqlCallsItByTheNameOfItsClassAndWithAPlan() throws Exception {
    TableEnvironment flink = TableEnvironment.create(EnvironmentSettings.inBatchMode());
    flink.executeSql(
        "CREATE TEMPORARY FUNCTION url_normalize AS 'io.github.urlmill.flink.NormalizeUrl'");
    Plan plan = Plan.builder("safe").with("fragment", "remove").build();
    flink.createTemporarySystemFunction("url_own", new NormalizeUrl(plan));
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> found =
        flink
            .executeSql("SELECT id, url_normalize(url), url_own(url) FROM " + ROWS)
            .collect()) {
      found.forEachRemaining(rows::add);
    }
    rows.sort((one, other) -> Integer.compare(one.getFieldAs(0), other.getFieldAs(0)));
    assertEquals(
        Arrays.asList(
            Row.of(1, "http://a/?b", "http://a/?utm_id=1&b"),
            Row.of(2, null, null),
            Row.of(3, null, null)),
        rows);
  }
}
