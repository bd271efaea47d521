package org.example.bell

import io.ktor.server.application.*
import io.ktor.server.metrics.micrometer.*
import io.ktor.server.plugins.callid.*
import io.ktor.server.plugins.callloging.*
import io.ktor.server.request.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics
import io.micrometer.prometheusmetrics.PrometheusConfig
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry
import org.slf4j.event.Level

fun Application.plugins() {
    val registry = PrometheusMeterRegistry(PrometheusConfig.DEFAULT)
    install(MicrometerMetrics) {
        this.registry = registry
        meterBinders = listOf(JvmMemoryMetrics(), JvmGcMetrics())
        timers { call, _ -> tag("route", call.request.path().substringBefore("/", "root")) }
    }
    install(CallId) { generate(10) }
    install(CallLogging) {
        level = Level.INFO
        callIdMdc("call")
        filter { it.request.path() != "/metrics" }
    }
    routing { get("/metrics") { call.respondText(registry.scrape()) } }
}
