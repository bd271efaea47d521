use std::sync::Arc;

use axum::{extract::State, http::StatusCode, routing::post, Json, Router};
use ndarray::Array2;
use ort::{inputs, session::Session};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct In {
    rows: Vec<Vec<f32>>,
}

#[derive(Serialize)]
struct Out {
    hours_left: Vec<f32>,
}

async fn predict(State(s): State<Arc<Session>>, Json(b): Json<In>) -> Result<Json<Out>, StatusCode> {
    let w = b.rows.first().map_or(0, Vec::len);
    if w == 0 || b.rows.len() > 512 || b.rows.iter().any(|r| r.len() != w) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let n = b.rows.len();
    let x = Array2::from_shape_vec((n, w), b.rows.concat()).map_err(|_| StatusCode::BAD_REQUEST)?;
    let y = s
        .run(inputs!["x" => x.view()].map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?)
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let v = y["y"].try_extract_tensor::<f32>().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(Out { hours_left: v.iter().copied().collect() }))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let s = Session::builder()?.with_intra_threads(2)?.commit_from_file("gearbox.onnx")?;
    let app = Router::new().route("/predict", post(predict)).with_state(Arc::new(s));
    axum::serve(tokio::net::TcpListener::bind("0.0.0.0:8080").await?, app).await?;
    Ok(())
}
