-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: yarn
-- ------------------------------------------------------
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

DROP TABLE IF EXISTS `buyers`;
CREATE TABLE `buyers` (
  `id` int NOT NULL AUTO_INCREMENT,
  `full_name` varchar(120) NOT NULL,
  `email` varchar(190) NOT NULL,
  `city` varchar(80) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `email` (`email`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4;

LOCK TABLES `buyers` WRITE;
INSERT INTO `buyers` VALUES (1,'Ilse Brandt','ilse.brandt@example.org','Kiel'),(2,'Joao Neves','j.neves@example.com','Porto'),(3,'Hana Kovar','hana@example.net',NULL),(4,'Pekka Salo','pekka.salo@example.org','Turku');
UNLOCK TABLES;

DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (
  `id` int NOT NULL,
  `buyer_id` int NOT NULL,
  `placed` datetime NOT NULL,
  `total` decimal(9,2) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
LOCK TABLES `orders` WRITE;
INSERT INTO `orders` VALUES (9001,1,'2024-04-30 10:11:09',48.50),(9002,4,'2024-04-30 12:40:51',19.90),(9003,1,'2024-05-02 08:02:30',112.00);
UNLOCK TABLES;
-- Dump completed on 2024-05-03  2:00:04
