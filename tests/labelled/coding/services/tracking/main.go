package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/parcelhub/tracking/internal/config"
	"example.com/parcelhub/tracking/internal/httpapi"
	"example.com/parcelhub/tracking/internal/route"
	"example.com/parcelhub/tracking/internal/store"
)

func main() {
	cfg, err := config.Load(os.Getenv("TRACKING_CONFIG"))
	if err != nil {
		slog.Error("config", "err", err)
		os.Exit(1)
	}
	db, err := store.Open(cfg.DatabaseURL)
	if err != nil {
		slog.Error("database", "err", err)
		os.Exit(1)
	}
	defer db.Close()

	srv := &http.Server{
		Addr:              cfg.Listen,
		Handler:           httpapi.New(db, route.NewOptimizer(cfg.MaxStops)),
		ReadHeaderTimeout: 5 * time.Second,
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = srv.Shutdown(grace)
	}()
	slog.Info("listening", "addr", cfg.Listen)
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		slog.Error("serve", "err", err)
		os.Exit(1)
	}
}
