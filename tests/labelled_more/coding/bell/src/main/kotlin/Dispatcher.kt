package org.example.bell

import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import org.apache.kafka.clients.producer.KafkaProducer
import org.apache.kafka.clients.producer.ProducerRecord
import org.slf4j.LoggerFactory

class Dispatcher(
    private val producer: KafkaProducer<String, String>,
    private val push: PushGateway,
    private val topic: String = "bell.rung",
) {
    private val log = LoggerFactory.getLogger(javaClass)

    fun ring(e: Ring) {
        producer.send(ProducerRecord(topic, e.house, Json.encodeToString(e))) { meta, err ->
            if (err != null) log.warn("not published house={}", e.house, err)
            else log.debug("published {}@{}", meta.partition(), meta.offset())
        }
        e.devices.chunked(100).forEach { ids ->
            val gone = push.send(ids, title = "Someone is at the door", body = e.camera ?: "", ttl = 45)
            if (gone.isNotEmpty()) producer.send(ProducerRecord("bell.devices.gone", e.house, gone.joinToString(",")))
        }
    }
}
