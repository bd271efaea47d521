resource "azurerm_virtual_network" "cache" {
  name                = "vnet-cache"
  location            = var.location
  resource_group_name = var.group
  address_space       = ["10.61.0.0/16"]
}

resource "azurerm_subnet" "nodes" {
  name                 = "nodes"
  resource_group_name  = var.group
  virtual_network_name = azurerm_virtual_network.cache.name
  address_prefixes     = ["10.61.4.0/24"]
}

resource "azurerm_network_security_group" "nodes" {
  name                = "nsg-nodes"
  location            = var.location
  resource_group_name = var.group

  security_rule {
    name                       = "in-6379"
    priority                   = 110
    direction                  = "Inbound"
    access                     = "Allow"
    protocol                   = "Tcp"
    source_port_range          = "*"
    destination_port_range     = "6379"
    source_address_prefix      = "10.60.0.0/16"
    destination_address_prefix = "*"
  }
}

resource "azurerm_subnet_network_security_group_association" "nodes" {
  subnet_id                 = azurerm_subnet.nodes.id
  network_security_group_id = azurerm_network_security_group.nodes.id
}
