variable "TAG" { default = "dev" }

group "default" { targets = ["web", "worker"] }

target "_common" {
  platforms  = ["linux/amd64", "linux/arm64"]
  cache-from = ["type=registry,ref=registry.example.net/berth/cache"]
}

target "web" {
  inherits = ["_common"]
  context  = "web"
  tags     = ["registry.example.net/berth/web:${TAG}"]
}

target "worker" {
  inherits   = ["_common"]
  context    = "worker"
  dockerfile = "Containerfile"
  tags       = ["registry.example.net/berth/worker:${TAG}"]
}
