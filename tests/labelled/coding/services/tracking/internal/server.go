package internal

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	scans = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "tracking_scans_total",
		Help: "Scans seen, by depot and outcome.",
	}, []string{"depot", "outcome"})

	lag = promauto.NewHistogram(prometheus.HistogramOpts{
		Name:    "tracking_scan_lag_seconds",
		Help:    "From the scanner's clock to ours.",
		Buckets: prometheus.ExponentialBuckets(0.01, 3, 9),
	})

	open = promauto.NewGauge(prometheus.GaugeOpts{Name: "tracking_open_parcels", Help: "Parcels on the way."})
)

// ObserveScan counts one scan and how late it reached us.
func ObserveScan(depot, outcome string, scannedAt time.Time) {
	scans.WithLabelValues(depot, outcome).Inc()
	lag.Observe(time.Since(scannedAt).Seconds())
}

// SetOpen publishes how many parcels are on the way.
func SetOpen(n int) { open.Set(float64(n)) }
