packer {
  required_plugins {
    qemu = { version = "~> 1.1", source = "github.com/hashicorp/qemu" }
  }
}

variable "release" { default = "12.5.0" }

source "qemu" "debian" {
  iso_url          = "https://cdimage.debian.org/cdimage/release/${var.release}/amd64/iso-cd/debian-${var.release}-amd64-netinst.iso"
  iso_checksum     = "file:SHA256SUMS"
  disk_size        = "12G"
  memory           = 2048
  http_directory   = "preseed"
  ssh_username     = "root"
  ssh_private_key_file = "build.key"
  shutdown_command = "systemctl poweroff"
}

build {
  sources = ["source.qemu.debian"]
  provisioner "shell" {
    inline = ["apt-get -y upgrade", "apt-get -y install chrony qemu-guest-agent", "cloud-init clean"]
  }
  post-processor "compress" { output = "base-${var.release}.qcow2.gz" }
}
