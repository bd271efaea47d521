"""What importing a package tells: a feature (counted per import and per call through it) and a group of methods.

Names are as written in source, with any of the separators `.`, `/`, `::`; a longer name falls back
to its prefixes, so `google.cloud.pubsub_v1.types` is found as `google.cloud.pubsub_v1`. A common
word that is a package in one ecosystem alone is written with it: `ruby:mail`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MEMO_LIMIT = 20_000


class Package(NamedTuple):
    """What a package is known for."""

    feature: str
    """Empty when only its methods tell something."""
    group: str
    """The method table that it switches on (see `calls.GROUPED`); empty for none."""


# (feature, group): packages of all ecosystems, separated by blanks
_ROWS: dict[tuple[str, str], str] = {
    ("web_import", "web"): """
        flask fastapi starlette django.urls django.http django.views rest_framework aiohttp.web tornado.web
        sanic bottle falcon litestar quart pyramid connexion strawberry ariadne graphene express koa koa-router
        @koa/router fastify hapi @hapi/hapi @nestjs/common @nestjs/graphql hono restify apollo-server
        @apollo/server type-graphql next/server @trpc/server github.com/gin-gonic/gin github.com/labstack/echo
        github.com/gofiber/fiber github.com/go-chi/chi github.com/gorilla/mux
        github.com/julienschmidt/httprouter org.springframework.web org.springframework.http javax.ws.rs
        jakarta.ws.rs javax.servlet jakarta.servlet io.ktor.server akka.http play.api.mvc io.javalin
        io.micronaut.http io.quarkus.vertx.web sinatra grape roda Microsoft.AspNetCore.Mvc
        Microsoft.AspNetCore.Http Microsoft.AspNetCore.Builder actix_web axum rocket warp tide
        Symfony.Component.Routing Symfony.Component.HttpFoundation Illuminate.Http Illuminate.Routing
        Illuminate.Support.Facades.Route Slim Plug.Router Plug.Conn Phoenix.Controller Phoenix.Router Vapor
        Mojolicious Dancer2 compojure.core compojure reitit.ring ring.util.response Yesod Servant Web.Scotty genie
        Genie
        plumber io.vertx.ext.web spark.Spark com.sun.net.httpserver elysia @hono/hono polka oak grape-entity
        github.com/danielgtaylor/huma connectrpc.com/connect package:shelf package:shelf_router poem salvo
        drogon/drogon.h crow.h crow httplib.h Nancy ServiceStack FastEndpoints Cowboy cowboy_req lapis.application
        CGI CGI::Fast @modelcontextprotocol/sdk mcp.server fastmcp""",
    ("http_server", ""): "uvicorn gunicorn hypercorn waitress werkzeug.serving http.server socketserver puma",
    ("http_call", "http"): """
        requests httpx urllib.request urllib3 aiohttp grpc zeep suds xmlrpc.client websockets axios node-fetch
        javascript:got superagent ky undici @grpc/grpc-js graphql-request @apollo/client google.golang.org/grpc
        github.com/go-resty/resty okhttp3 retrofit2 java.net.http org.apache.http org.springframework.web.client
        org.springframework.web.reactive.function.client io.ktor.client faraday httparty net/http rest-client
        typhoeus System.Net.Http RestSharp Refit Grpc.Net reqwest hyper ureq tonic GuzzleHttp
        Illuminate.Support.Facades.Http LWP.UserAgent sttp.client3
        @angular/common/http ofetch wretch needle phin openapi-fetch package:http package:dio Alamofire HTTPoison
        Tesla
        Finch Req clj-http.client hato.client httr httr2 HTTP.Client Network.HTTP.Simple generic:HTTP LWP::UserAgent
        HTTP::Tiny feign org.apache.hc com.squareup.okhttp3 io.github.openfeign org.springframework.cloud.openfeign
        github.com/hashicorp/go-retryablehttp connectrpc.com soap cpr/cpr.h curl/curl.h Flurl Flurl.Http excon
        Saloon Symfony.Contracts.HttpClient socket.http java.net.HttpURLConnection surf isahc urequests octokit
        @octokit/rest PyGithub hubspot simple_salesforce googleapiclient shopify_api @shopify/shopify-api
        @hubspot/api-client
        @notionhq/client notion_client airtable python:jira zendesk zenpy intercom contentful algoliasearch
        meilisearch openai
        anthropic @anthropic-ai/sdk google.generativeai cohere python:github python:gitlab restforce xero_python
        quickbooks
        office365 msgraph @microsoft/microsoft-graph-client python:docker kubernetes_asyncio com.jcraft.jsch
        net.schmizz.sshj ssh2
        ssh2-sftp-client
        basic-ftp github.com/pkg/sftp golang.org/x/crypto/ssh telnetlib pymodbus asyncua python:serial minimalmodbus""",
    ("db_call", "db"): """
        sqlite3 psycopg2 psycopg asyncpg pymysql python:mysql MySQLdb aiosqlite pymongo motor python:redis
        cassandra elasticsearch snowflake.connector google.cloud.bigquery duckdb databases sqlalchemy pyodbc
        cx_Oracle oracledb neo4j javascript:pg mysql2 better-sqlite3 mongodb ioredis knex @prisma/client mssql
        database/sql github.com/jmoiron/sqlx github.com/jackc/pgx github.com/lib/pq go.mongodb.org/mongo-driver
        github.com/redis/go-redis java.sql javax.sql org.springframework.jdbc org.jooq jvm:slick doobie
        org.jetbrains.exposed ActiveRecord ruby:sequel Npgsql Dapper System.Data Microsoft.Data MySql.Data
        StackExchange.Redis sqlx tokio_postgres rusqlite mongodb PDO Doctrine.DBAL Illuminate.Support.Facades.DB
        libpq-fe.h sqlite3.h DBI
        DBI::st next.jdbc clojure.java.jdbc hugsql.core package:sqflite package:drift Ecto.Repo Ecto.Query
        Database.Persist
        generic:SQLite generic:LibPQ RSQLite RPostgres kysely slonik postgres @neondatabase/serverless @libsql/client
        cassandra-driver gocql github.com/gocql/gocql com.datastax go.etcd.io/bbolt rocksdb rust:redis rust:mongodb
        @supabase/supabase-js firebase/firestore @google-cloud/firestore google.cloud.firestore
        firebase_admin.firestore firebase/database @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb influxdb_client
        clickhouse_driver
        clickhouse_connect pymemcache aioredis redis.asyncio FMDB GRDB CoreData androidx.room MongoDB.Driver
        Cassandra org.bson com.mongodb redis.clients io.lettuce predis Predis""",
    ("", "orm"): """
        sqlalchemy.orm sqlalchemy.ext.declarative django.db flask_sqlalchemy peewee tortoise sqlmodel
        mongoengine pony odmantic beanie sequelize typeorm mongoose sequelize-typescript @nestjs/typeorm
        @mikro-orm/core drizzle-orm gorm.io/gorm github.com/jinzhu/gorm entgo.io/ent javax.persistence
        jakarta.persistence org.springframework.data org.hibernate Microsoft.EntityFrameworkCore
        System.Data.Entity diesel sea_orm Illuminate.Database.Eloquent Doctrine.ORM
        Ecto.Schema SwiftData package:floor package:isar pynamodb mongoid objection waterline bookshelf""",
    ("migration_op", "migration"): """
        alembic django.db.migrations yoyo node-pg-migrate umzug github.com/golang-migrate/migrate
        github.com/pressly/goose org.flywaydb liquibase Illuminate.Database.Migrations Phinx FluentMigrator
        Microsoft.EntityFrameworkCore.Migrations Doctrine.Migrations
        Ecto.Migration refinery sea_orm_migration com.arangodb.migrate mongock io.mongock migrate-mongo
        Fluent.Migration""",
    ("mail_call", "mail"): """
        smtplib email.mime django.core.mail flask_mail fastapi_mail aiosmtplib sendgrid mailgun postmarker
        twilio slack_sdk firebase_admin.messaging nodemailer @sendgrid/mail mailgun.js mailgun-js postmark
        resend @slack/web-api web-push net/smtp gopkg.in/gomail.v2 github.com/sendgrid/sendgrid-go javax.mail
        jakarta.mail org.springframework.mail action_mailer ruby:mail System.Net.Mail MailKit SendGrid lettre
        Illuminate.Mail Illuminate.Notifications Illuminate.Support.Facades.Mail PHPMailer
        Symfony.Component.Mailer
        Swoosh Bamboo @aws-sdk/client-ses @aws-sdk/client-sesv2 telegram apprise discord aiogram fcm-node
        firebase-admin/messaging
        apns2 exponent_server_sdk @novu/node vonage messagebird Net::SMTP Email::Sender pusher ably onesignal yagmail
        github.com/slack-go/slack com.twilio Twilio notifiers mailersend @react-email/render""",
    ("queue_call", "queue"): """
        pika kafka confluent_kafka aiokafka kombu aio_pika nats google.cloud.pubsub google.cloud.pubsub_v1 faust
        azure.servicebus amqplib kafkajs @aws-sdk/client-sqs @aws-sdk/client-sns
        @google-cloud/pubsub github.com/segmentio/kafka-go github.com/Shopify/sarama github.com/IBM/sarama
        github.com/streadway/amqp github.com/rabbitmq/amqp091-go github.com/nats-io/nats.go org.apache.kafka
        org.springframework.kafka org.springframework.amqp com.rabbitmq akka.stream.alpakka bunny ruby-kafka
        MassTransit Confluent.Kafka RabbitMQ.Client rdkafka lapin PhpAmqpLib zmq
        Broadway package:amqp_client stomp stompjs @nestjs/microservices ioredis/streams paho.mqtt paho mqtt
        rumqttc github.com/eclipse/paho.mqtt.golang org.eclipse.paho pulsar go.temporal cloudevents aiobotocore.sqs
        eventstore @azure/service-bus Azure.Messaging nsq github.com/nsqio/go-nsq machinery redis.streams proton""",
    ("scheduled", "job"): """
        celery rq dramatiq huey apscheduler python:schedule crontab node-cron javascript:cron agenda
        node-schedule github.com/robfig/cron github.com/hibiken/asynq org.quartz org.springframework.scheduling
        sidekiq resque delayed_job active_job good_job Hangfire Quartz tokio_cron_scheduler
        Illuminate.Console.Scheduling Illuminate.Contracts.Queue Symfony.Component.Messenger
        Oban.Worker Oban Quantum toad-scheduler bull bullmq bee-queue bree croner graphile-worker pg-boss
        github.com/go-co-op/gocron
        github.com/riverqueue/river com.cronutils org.jobrunr whenever clockwork rufus-scheduler arq procrastinate
        taskiq
        Coravel sched""",
    ("auth_call", "auth"): """
        bcrypt jwt jose passlib argon2 authlib oauthlib flask_login flask_jwt_extended django.contrib.auth
        itsdangerous ldap3 ldap pyotp allauth social_django rest_framework_simplejwt fastapi.security msal
        google.oauth2 python_jwt bcryptjs argon2-browser jsonwebtoken passport passport-local passport-jwt
        next-auth @auth/core express-session @nestjs/passport @nestjs/jwt firebase/auth @auth0/auth0-react auth0
        oidc-client keycloak-js @clerk/nextjs javascript:speakeasy javascript:lucia golang.org/x/crypto/bcrypt
        golang.org/x/oauth2 github.com/golang-jwt/jwt github.com/dgrijalva/jwt-go github.com/coreos/go-oidc
        org.springframework.security io.jsonwebtoken com.auth0 org.keycloak javax.security.auth devise omniauth
        warden doorkeeper rotp Microsoft.AspNetCore.Identity Microsoft.AspNetCore.Authentication
        Microsoft.AspNetCore.Authorization System.IdentityModel Microsoft.IdentityModel jsonwebtoken oauth2
        Illuminate.Support.Facades.Auth Illuminate.Support.Facades.Hash Laravel.Sanctum Laravel.Passport
        Symfony.Component.Security Firebase.JWT security/pam_appl.h
        Guardian Ueberauth Bcrypt Argon2 buddy.auth buddy.sign @node-rs/argon2 oslo arctic openid-client simple-oauth2
        github.com/gorilla/sessions github.com/casbin/casbin github.com/go-ldap/ldap org.pac4j com.nimbusds
        package:firebase_auth LocalAuthentication AuthenticationServices better-auth @supabase/auth-helpers-nextjs
        oauth2client google_auth_oauthlib samlify @node-saml/passport-saml pysaml2 webauthn @simplewebauthn/server
        rust:argon2
        rust:bcrypt tower_sessions axum_login actix_identity Casbin""",
    ("payment_call", "payment"): """
        stripe paypalrestsdk paypalcheckoutsdk braintree Adyen adyen python:square squareup razorpay mollie
        authorizenet plaid gocardless_pro coinbase_commerce djstripe dj_stripe paddle klarna @stripe/stripe-js
        @stripe/react-stripe-js @paypal/checkout-server-sdk @paypal/react-paypal-js @adyen/api-library
        @mollie/api-client paypal-rest-sdk braintree-web checkout-sdk-node github.com/stripe/stripe-go
        github.com/plutov/paypal github.com/braintree-go/braintree-go com.stripe com.paypal com.braintreegateway
        com.adyen com.squareup.square Stripe PayPal Braintree Omnipay Laravel.Cashier activemerchant
        async_stripe
        stripe-terminal @square/web-sdk package:flutter_stripe StoreKit StripePaymentSheet
        @lemonsqueezy/lemonsqueezy.js
        com.midtrans iyzipay payu wepay Mollie Recurly recurly chargebee xendit flutterwave paystack""",
    (
        "privacy_call",
        "",
    ): "presidio_analyzer presidio_anonymizer scrubadub anonymizedf opacus diffprivlib cookieconsent",
    ("crypto_call", "crypto"): """
        hashlib hmac secrets cryptography Crypto Cryptodome nacl OpenSSL gnupg javascript:crypto node:crypto
        crypto-js tweetnacl libsodium-wrappers node-forge crypto/aes crypto/cipher crypto/rsa crypto/sha256
        crypto/sha512 crypto/hmac crypto/ecdsa crypto/ed25519 crypto/tls golang.org/x/crypto java.security
        javax.crypto org.bouncycastle ruby:openssl rbnacl ruby:digest System.Security.Cryptography rust:ring
        aes_gcm rust:sha2 ed25519_dalek rust:rsa rustls openssl/evp.h openssl/aes.h sodium.h openssl/ssl.h""",
    (
        "weak_crypto",
        "",
    ): "crypto/md5 crypto/sha1 crypto/des crypto/rc4 rust:md5 rust:sha1 ruby:digest/md5 openssl/md5.h openssl/des.h",
    ("", "log"): """
        logging loguru structlog winston pino bunyan log4js log/slog go.uber.org/zap github.com/sirupsen/logrus
        github.com/rs/zerolog org.slf4j java.util.logging org.apache.logging ch.qos.logback serilog Serilog
        Microsoft.Extensions.Logging NLog rust:tracing env_logger rust:log go:log Monolog Psr.Log ruby:logger
        spdlog spdlog/spdlog.h glog""",
    ("concurrency", ""): """
        threading asyncio concurrent.futures multiprocessing python:queue trio anyio gevent worker_threads
        javascript:cluster go:sync sync/atomic golang.org/x/sync java.util.concurrent kotlinx.coroutines
        scala.concurrent akka.actor concurrent-ruby ruby:async System.Threading tokio std::sync std::thread
        crossbeam rayon pthread.h c_system:thread c_system:mutex c_system:atomic condition_variable stdatomic.h""",
    ("metric_call", ""): """
        prometheus_client statsd datadog opentelemetry ddtrace sentry_sdk newrelic opencensus prom-client
        @opentelemetry/api hot-shots @sentry/node @sentry/react github.com/prometheus/client_golang
        go.opentelemetry.io/otel io.micrometer io.prometheus io.opentelemetry com.codahale.metrics
        prometheus-client yabeda Prometheus System.Diagnostics.Metrics rust:metrics OpenTelemetry
        Telemetry :telemetry package:sentry_flutter @datadog/browser-rum @opentelemetry/sdk-node dd-trace
        applicationinsights
        rust:opentelemetry rust:tracing_subscriber com.datadoghq appsignal skylight aws_embedded_metrics MetricKit""",
    ("report_call", "report"): """
        reportlab weasyprint openpyxl xlsxwriter xlwt docx fpdf pdfkit matplotlib seaborn plotly bokeh altair
        jspdf pdfkit exceljs javascript:xlsx puppeteer chart.js github.com/jung-kurt/gofpdf
        github.com/xuri/excelize org.apache.poi com.itextpdf net.sf.jasperreports prawn caxlsx wicked_pdf
        ClosedXML iTextSharp QuestPDF TCPDF Dompdf PhpOffice Maatwebsite.Excel ggplot2 rmarkdown
        Spreadsheet::WriteExcel Excel::Writer::XLSX PDF::API2 pdf-lib @react-pdf/renderer docxtemplater
        generic:openxlsx
        writexl knitr printpdf rust_xlsxwriter typst package:pdf maroto github.com/johnfercher/maroto EPPlus mpdf
        knp""",
    ("cli_args", ""): """
        argparse click typer docopt optparse getopt fire commander yargs javascript:minimist oclif @oclif/core
        meow inquirer go:flag github.com/spf13/cobra github.com/spf13/pflag github.com/urfave/cli
        github.com/alecthomas/kong picocli org.apache.commons.cli com.beust.jcommander kotlinx.cli
        com.github.ajalt.clikt scopt optparse thor slop gli CommandLine System.CommandLine clap structopt argh
        Symfony.Component.Console Illuminate.Console getopt.h Getopt.Long
        Getopt::Long Getopt::Std Pod::Usage Mix.Task tools.cli clojure.tools.cli ArgParse optparse-applicative
        Options.Applicative ArgumentParser package:args generic:optparse argparser docopt.c Spectre.Console cac citty
        Oclif prompts rust:pico_args bpaf absl.flags plumbum cyclopts tap minicli""",
    (
        "env_read",
        "",
    ): "dotenv environs decouple dotenv/config viper github.com/joho/godotenv github.com/spf13/viper dotenvy envy",
    ("secret_ref", ""): """
        hvac google.cloud.secretmanager azure.keyvault @aws-sdk/client-secrets-manager @azure/keyvault-secrets
        github.com/hashicorp/vault com.bettercloud.vault node-vault""",
    (
        "file_io",
        "",
    ): (
        "shutil fileinput tempfile javascript:fs fs-extra node:fs fs/promises io/ioutil java.io java.nio.file "
        "std::fs c_system:fstream System.IO"
    ),
    ("date_logic", ""): """
        dateutil pendulum arrow moment dayjs date-fns luxon java.time org.joda.time kotlinx.datetime rust:chrono
        Carbon active_support/time NodaTime pytz zoneinfo python:calendar lubridate""",
    ("test_function", "test"): """
        unittest pytest nose hypothesis doctest jest mocha vitest javascript:ava javascript:tape qunit
        @jest/globals @testing-library/react @testing-library/vue cypress @playwright/test javascript:playwright
        supertest go:testing github.com/stretchr/testify github.com/onsi/ginkgo org.junit org.testng
        org.scalatest org.specs2 io.kotest kotlin.test rspec minitest ruby:capybara spec_helper rails_helper
        test_helper Xunit NUnit.Framework Microsoft.VisualStudio.TestTools PHPUnit Tests.TestCase gtest/gtest.h
        catch2/catch.hpp catch2/catch_test_macros.hpp proptest quickcheck testthat Test.More
        Test::More Test2::V0 Test::Exception ExUnit.Case ExUnit clojure.test package:test package:flutter_test
        XCTest Testing
        generic:Test busted luaunit Test.Hspec Test.Tasty Test.QuickCheck bun:test node:test webdriverio selenium
        behave pytest_bdd robot @cucumber/cucumber io.cucumber godog github.com/cucumber/godog Reqnroll
        TechTalk.SpecFlow
        criterion/criterion.h unity.h cmocka.h doctest.h check.h boost/test/unit_test.hpp WebApplicationFactory
        Shouldly
        FluentAssertions io.restassured spock.lang nightwatch detox fast-check chai uvu @wdio/globals""",
    ("fixture", ""): """
        unittest.mock python:mock python:factory python:faker factory_boy pytest_mock responses freezegun moto
        model_bakery sinon nock msw @faker-js/faker github.com/golang/mock go.uber.org/mock org.mockito io.mockk
        factory_bot webmock Moq NSubstitute AutoFixture Bogus mockall Mockery Faker gmock/gmock.h
        @testcontainers/postgresql testcontainers org.testcontainers github.com/testcontainers/testcontainers-go
        fishery
        Mox ExMachina wiremock com.github.tomakehurst respx aioresponses requests_mock vcr vcrpy pytest_httpx
        rust:wiremock
        mockito generic:mocktail package:mockito package:mocktail Testcontainers github.com/DATA-DOG/go-sqlmock
        pyfakefs""",
    (
        "benchmark",
        "",
    ): (
        "timeit pytest_benchmark locust k6 k6/http generic:Benchee Benchee BenchmarkTools mitata vegeta artillery "
        "gatling io.gatling pyperf divan iai Criterion.Main generic:bench autocannon ruby:benchmark org.openjdk.jmh "
        "criterion BenchmarkDotNet benchmark/benchmark.h "
        "tinybench asv"
    ),
    ("hook", "ui_state"): """
        redux @reduxjs/toolkit react-redux mobx recoil zustand jotai vuex pinia vue-router react-router
        react-router-dom @tanstack/react-query swr svelte/store xstate @ngrx/store next/navigation next/router
        nanostores effector valtio @ngrx/effects @ngrx/signals @tanstack/vue-query @tanstack/react-router wouter
        vue-demi
        @vueuse/core @angular/router svelte-spa-router $app/stores $app/navigation package:flutter_bloc package:bloc
        package:provider package:riverpod package:flutter_riverpod package:go_router package:get
        @reduxjs/toolkit/query""",
    ("", "ui"): """
        react preact vue svelte @angular/core solid-js javascript:lit react-native javascript:next next/link
        next/image @mui/material antd @chakra-ui/react styled-components package:flutter SwiftUI
        androidx.compose streamlit gradio
        UIKit AppKit package:fluent_ui androidx.fragment android.widget tkinter PyQt5 PyQt6 PySide6 javax.swing
        javafx gtk
        gi.repository kivy textual phoenix_live_view Phoenix.LiveComponent Phoenix.LiveView Phoenix.Component
        @mui/icons-material
        @radix-ui react-bootstrap vuetify quasar shadcn bubbletea github.com/charmbracelet/bubbletea shiny dash
        ratatui egui
        iced yew leptos dioxus Avalonia System.Windows @ionic/react @ionic/angular""",
    ("", "ml"): """
        sklearn torch torchvision tensorflow keras xgboost lightgbm catboost transformers pytorch_lightning
        lightning jax flax fastai statsmodels spacy gensim sentence_transformers mlflow datasets accelerate peft
        prophet onnxruntime tensorflow_hub timm diffusers trl optuna python:ray @tensorflow/tfjs
        org.apache.spark.ml org.deeplearning4j linfa tch candle_core caret tidymodels generic:Flux MLJ
        Microsoft.ML
        @xenova/transformers @huggingface/transformers rstan brms randomForest ranger glmnet mlr3 rust:smartcore
        rust:burn
        generic:Lux generic:MLJ com.microsoft.ml ai.djl weka.classifiers nltk flair setfit ultralytics detectron2
        stable_baselines3 gymnasium surprise implicit paddle mxnet haiku optax""",
    ("infra_compute", ""): """
        aws-cdk-lib aws_cdk @aws-cdk/core constructs pulumi @pulumi/pulumi @pulumi/aws @pulumi/gcp
        @pulumi/azure-native
        pulumi_aws pulumi_gcp pulumi_azure_native troposphere cdktf aws-cdk-lib/aws-lambda aws-cdk-lib/aws-ecs
        aws_cdk.aws_lambda aws_cdk.aws_ecs github.com/pulumi/pulumi software.amazon.awscdk Amazon.CDK""",
    ("infra_storage", ""): "aws-cdk-lib/aws-s3 aws_cdk.aws_s3 troposphere.s3 aws-cdk-lib/aws-efs",
    ("infra_network", ""): """
        aws-cdk-lib/aws-ec2 aws_cdk.aws_ec2 aws-cdk-lib/aws-route53 aws-cdk-lib/aws-cloudfront
        aws-cdk-lib/aws-elasticloadbalancingv2 aws-cdk-lib/aws-apigateway""",
    ("infra_database", ""): "aws-cdk-lib/aws-rds aws-cdk-lib/aws-dynamodb aws_cdk.aws_rds aws_cdk.aws_dynamodb",
    ("infra_cluster", ""): "aws-cdk-lib/aws-eks aws_cdk.aws_eks pulumi_eks @pulumi/eks cdk8s pulumi_kubernetes",
    ("infra_access", ""): "aws-cdk-lib/aws-iam aws-cdk-lib/aws-kms aws_cdk.aws_iam aws_cdk.aws_kms",
    ("infra_monitoring", ""): "aws-cdk-lib/aws-cloudwatch aws_cdk.aws_cloudwatch aws-cdk-lib/aws-logs",
    ("model_load", "ml"): """
        rust:ort rust:tract_onnx onnxruntime-node onnxruntime-web ai.onnxruntime Microsoft.ML.OnnxRuntime
        github.com/yalue/onnxruntime_go tflite_runtime openvino llama_cpp ctranslate2 vllm CoreML
        package:tflite_flutter
        org.tensorflow.lite org.pytorch tensorrt""",
    ("serve_call", "ml"): """
        bentoml ts.torch_handler triton_python_backend_utils kserve mlserver litserve seldon_core ray.serve cog
        sagemaker_inference text_generation_server""",
    ("tune_call", "ml"): "optuna hyperopt ray.tune skopt keras_tuner nevergrad sklearn.model_selection.GridSearchCV",
    ("drift_call", "ml"): "evidently alibi_detect nannyml whylogs deepchecks",
    ("", "data"): """
        pandas polars pyspark dask numpy modin vaex pyarrow geopandas danfojs nodejs-polars arquero
        org.apache.spark dplyr tidyr data.table DataFrames
        generic:arrow generic:CSV generic:readr generic:tidyverse generic:DataFramesMeta generic:Query
        tech.v3.dataset Explorer.DataFrame
        tablesaw xarray ibis petl agate awswrangler snowflake.snowpark org.apache.flink org.apache.beam apache_beam
        pyflink
        rust:polars generic:sparklyr fugue""",
    ("extract_call", ""): """
        scrapy bs4 singer dlt airbyte_cdk ftplib paramiko pysftp kaggle yfinance tweepy gspread wbdata sodapy
        cheerio puppeteer-core nokogiri colly github.com/gocolly/colly org.jsoup rust:scraper
        newspaper feedparser crawlee playwright_stealth selectolax mechanicalsoup rust:select Web::Scraper rvest
        tap_framework
        singer_sdk snscrape sodapy pyairbyte fredapi""",
    ("dag", "dag"): "airflow prefect dagster luigi kedro kfp metaflow flytekit mage_ai zenml temporalio",
    (
        "data_check",
        "check",
    ): "great_expectations pandera pydeequ python:soda pointblank com.amazon.deequ cerberus frictionless",
    (
        "feature_flag",
        "",
    ): "ldclient launchdarkly-js-client-sdk unleash UnleashClient flipper waffle @growthbook/growthbook",
}

PACKAGES: dict[str, Package] = {
    name: Package(feature, group) for (feature, group), names in _ROWS.items() for name in names.split()
}

_tail = re.compile(r"(?:[./\\]|::?)[^./\\:]*$")
_version = re.compile(r"/v\d+(?=/|$)")
_memo: dict[tuple[str, str], Package | None] = {}


def package(how: str, name: str) -> Package | None:
    """What the package, or the nearest prefix of its name, is known for in the ecosystem `how`."""
    key = (how, name)
    if key in _memo:
        return _memo[key]
    if len(_memo) > MEMO_LIMIT:
        _memo.clear()
    found = None
    rest = _version.sub("", name[:200]).replace("\\", ".")
    for _ in range(8):
        found = PACKAGES.get(rest) or PACKAGES.get(f"{how}:{rest}")
        shorter = _tail.sub("", rest)
        if found or shorter == rest:
            break
        rest = shorter
    _memo[key] = found
    return found
