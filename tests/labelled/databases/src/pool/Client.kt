package clinic.pool

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import java.sql.ResultSet

class Client(url: String, size: Int = 10) : AutoCloseable {
    private val source = HikariDataSource(HikariConfig().apply {
        jdbcUrl = url
        maximumPoolSize = size
        isAutoCommit = false
    })

    fun <T> query(sql: String, vararg args: Any?, row: (ResultSet) -> T): List<T> =
        source.connection.use { connection ->
            connection.prepareStatement(sql).use { statement ->
                args.forEachIndexed { index, arg -> statement.setObject(index + 1, arg) }
                statement.executeQuery().use { result ->
                    buildList { while (result.next()) add(row(result)) }
                }
            }
        }

    fun visitsOn(day: java.time.LocalDate) =
        query("select visit_id, minutes from visits where starts_at::date = ?", day) { it.getLong(1) to it.getInt(2) }

    override fun close() = source.close()
}
