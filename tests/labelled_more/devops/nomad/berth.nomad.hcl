job "berth" {
  datacenters = ["north"]
  type        = "service"

  update {
    max_parallel = 1
    auto_revert  = true
    canary       = 1
  }

  group "web" {
    count = 3

    network {
      port "http" { to = 9000 }
    }

    service {
      name = "berth"
      port = "http"
      check {
        type     = "http"
        path     = "/ready"
        interval = "10s"
        timeout  = "2s"
      }
    }

    task "web" {
      driver = "docker"
      config {
        image = "registry.example.net/berth/web:2024.5.1"
        ports = ["http"]
      }
      template {
        data        = "DATABASE_URL={{ with secret \"db/creds/berth\" }}{{ .Data.url }}{{ end }}"
        destination = "secrets/env"
        env         = true
      }
      resources {
        cpu    = 400
        memory = 512
      }
    }
  }
}
