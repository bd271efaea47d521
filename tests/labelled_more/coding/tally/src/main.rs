use std::{net::SocketAddr, sync::Arc};

use axum::{routing::{get, post}, Router};
use sqlx::postgres::PgPoolOptions;
use tokio::signal;
use tower_http::trace::TraceLayer;

mod ballots;
mod count;
mod state;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt::init();
    let url = std::env::var("DATABASE_URL")?;
    let pool = PgPoolOptions::new().max_connections(12).connect(&url).await?;
    sqlx::migrate!().run(&pool).await?;

    let st = Arc::new(state::App::new(pool));
    let app = Router::new()
        .route("/ballots", post(ballots::cast))
        .route("/polls/:id/result", get(count::result))
        .layer(TraceLayer::new_for_http())
        .with_state(st);

    let addr = SocketAddr::from(([0, 0, 0, 0], 8080));
    let listener = tokio::net::TcpListener::bind(addr).await?;
    axum::serve(listener, app)
        .with_graceful_shutdown(async { signal::ctrl_c().await.ok(); })
        .await?;
    Ok(())
}
