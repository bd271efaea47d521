"""Rows for the application family: code of a product."""

from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    (
        "api_handler",
        "authentication_module",
        "payment_module",
        "privacy_module",
        "messaging_module",
        "data_access",
        "api_client",
        "background_job",
        "app_entrypoint",
        "business_logic",
        "report_generator",
        "metrics_module",
    ),
    "code_file",
)

_WEB = (
    "fastapi,flask,django,rest_framework,starlette,aiohttp,tornado,sanic,falcon,bottle,graphene,strawberry,ariadne,"
    "litestar,quart,chalice,pyramid,cherrypy,connexion,ninja,responder,grpc,http,wsgiref,flask_restful,apirouter,router"
)

_CODE = "python javascript typescript go java ruby rust c cpp csharp php kotlin scala generic"

ROWS = (
    # api_handler
    Row("api_handler", "feature", "route", 6.0, "no=test_function notformat=python"),
    Row("api_handler", "feature", "route", 6.0, f"no=test_function format=python uses={_WEB}"),
    Row("api_handler", "feature", "route", 3.0, f"no=test_function format=python unused={_WEB}"),
    Row("api_handler", "import", "fastapi flask express koa gin-gonic echo chi fiber mux django rest_framework", 1.0),
    Row("api_handler", "import", "nestjs actix_web axum rocket hapi sinatra grape graphene strawberry ariadne", 1.0),
    Row("api_handler", "import", "restcontroller requestmapping getmapping postmapping aspnetcore apicontroller", 2.0),
    Row(
        "api_handler", "import", "starlette sanic tornado bottle falcon aiohttp fastify restify apollo-server ktor", 1.0
    ),
    Row("api_handler", "name", "handler controller endpoint resolver viewset router", 1.2),
    Row("api_handler", "name", "request response route resource view", 0.4),
    Row("api_handler", "path", "route router controller handler endpoint resolver viewset", 2.0),
    Row("api_handler", "path", "api view rest graphql rpc", 1.2),
    # authentication_module
    Row("authentication_module", "feature", "auth_call", 5.0, "no=test_function"),
    Row(
        "authentication_module", "import", "bcrypt argon2 passlib jwt jose jsonwebtoken passport oauthlib authlib", 2.0
    ),
    Row(
        "authentication_module",
        "import",
        "devise keycloak auth0 itsdangerous ldap3 ldap saml pyotp next-auth golang-jwt",
        2.0,
    ),
    Row(
        "authentication_module", "import", "jjwt bcryptjs scrypt otplib speakeasy omniauth pundit cancancan casbin", 2.0
    ),
    Row(
        "authentication_module",
        "import",
        "check_password make_password password_hash password_verify check_password_hash",
        2.0,
    ),
    Row("authentication_module", "import", "authenticate login_user bcryptpasswordencoder securityfilterchain", 2.0),
    Row(
        "authentication_module",
        "name",
        "login logout authenticate authentication signin signup sso oauth oidc saml",
        1.6,
    ),
    Row(
        "authentication_module",
        "name",
        "auth authorize authorization permission jwt password credential mfa totp otp",
        1.2,
    ),
    Row(
        "authentication_module",
        "name",
        "rbac acl sign_in sign_out sign_up log_in log_out current_user access_token",
        1.4,
    ),
    Row("authentication_module", "name", "refresh_token verify_token two_factor api_key session role", 0.8),
    Row("authentication_module", "path", "auth authentication login session sso oauth oidc jwt authorization", 2.0),
    Row("authentication_module", "path", "permission identity rbac acl signin signup security guard", 1.4),
    # payment_module
    Row("payment_module", "feature", "payment_call", 5.0, "no=test_function"),
    Row("payment_module", "import", "stripe paypal braintree adyen razorpay mollie klarna gocardless paddle", 3.0),
    Row("payment_module", "import", "checkout_sdk omnipay activemerchant money dinero javax.money squareup", 1.5),
    Row("payment_module", "name", "payment refund invoice billing checkout payout chargeback ledger", 1.5),
    Row("payment_module", "name", "charge pay currency price tax vat subscription cent money iban", 0.8),
    Row("payment_module", "name", "transaction amount total discount card", 0.4),
    Row("payment_module", "path", "payment billing checkout invoice refund payout", 2.2),
    Row("payment_module", "path", "charge ledger subscription tax pricing", 1.2),
    # privacy_module
    Row("privacy_module", "feature", "privacy_call", 6.0, "no=test_function"),
    Row("privacy_module", "import", "presidio_analyzer presidio_anonymizer scrubadub", 3.0),
    Row("privacy_module", "name", "anonymize anonymise pseudonymize pseudonymise gdpr ccpa consent erasure pii", 1.8),
    Row("privacy_module", "name", "anonymizer pseudonymizer redact redactor redaction anonymous_id data_subject", 1.5),
    Row("privacy_module", "name", "mask erase forget privacy retention personal_data scrub", 1.1),
    Row("privacy_module", "path", "privacy gdpr consent anonymize anonymizer erasure pii redact retention", 2.2),
    # messaging_module
    Row("messaging_module", "feature", "mail_call", 5.0, "no=test_function"),
    Row("messaging_module", "feature", "queue_call", 4.5, "no=test_function"),
    Row(
        "messaging_module",
        "import",
        "smtplib nodemailer sendgrid mailgun twilio kafka pika amqp amqplib nats mailer",
        2.0,
    ),
    Row(
        "messaging_module",
        "import",
        "kafkajs confluent_kafka aiokafka bunny sarama rabbitmq slack_sdk javamail sqs sns",
        2.0,
    ),
    Row(
        "messaging_module",
        "import",
        "actionmailer phpmailer mimetext mimemultipart emailmessage firebase-messaging",
        2.0,
    ),
    Row(
        "messaging_module", "name", "mail email mailer notify notification notifier sms smtp publisher subscriber", 1.2
    ),
    Row(
        "messaging_module",
        "name",
        "consumer producer queue topic webhook publish subscribe broker inbox recipient",
        0.9,
    ),
    Row("messaging_module", "name", "message push channel event", 0.4),
    Row("messaging_module", "path", "mail mailer email notification notifier messaging webhook sms queue", 2.0),
    Row("messaging_module", "path", "consumer producer publisher subscriber broker event kafka pubsub", 1.3),
    # data_access
    Row("data_access", "feature", "orm_model", 6.0, "no=test_function,migration_op"),
    Row("data_access", "feature", "db_call", 3.5, "no=test_function,route,migration_op"),
    Row("data_access", "feature", "db_call", 1.5, "has=route"),
    Row("data_access", "import", "sqlalchemy gorm hibernate javax.persistence persistence activerecord sequelize", 1.5),
    Row(
        "data_access",
        "import",
        "typeorm mongoose prisma diesel sqlx peewee entityframeworkcore entityframework jdbc",
        1.5,
    ),
    Row(
        "data_access",
        "import",
        "psycopg2 psycopg asyncpg pymongo mysql2 pymysql jparepository crudrepository slick",
        1.5,
    ),
    Row(
        "data_access",
        "import",
        "doctrine eloquent tortoise sqlmodel pgx database knex mybatis exposed dapper redis",
        1.0,
    ),
    Row("data_access", "name", "repository dao entity mapper repo", 1.6),
    Row("data_access", "name", "find_by get_by find_all query save insert upsert delete_by", 0.7),
    Row("data_access", "path", "model repository dao entity dal persistence repo orm", 1.8),
    Row("data_access", "path", "db database store storage", 1.0),
    # api_client
    Row("api_client", "feature", "http_call", 5.0, "no=test_function,route,train_call,extract_call,component"),
    Row("api_client", "feature", "http_call", 2.5, "has=route,extract_call,component"),
    Row(
        "api_client",
        "import",
        "requests httpx axios got node-fetch urllib3 aiohttp retrofit2 okhttp3 reqwest faraday",
        1.2,
    ),
    Row("api_client", "import", "guzzlehttp httparty httpclient resttemplate webclient grpc zeep superagent ky", 1.2),
    Row("api_client", "name", "client sdk connector gateway adapter", 1.3),
    Row("api_client", "name", "fetch retry backoff rate_limit paginate base_url timeout", 0.7),
    Row("api_client", "path", "client sdk connector integration gateway adapter", 1.8),
    Row("api_client", "path", "api external provider", 0.6),
    # background_job
    Row("background_job", "feature", "scheduled", 5.5, "no=test_function,dag unused=basecommand"),
    Row(
        "background_job",
        "import",
        "celery rq apscheduler sidekiq bullmq bull agenda quartz hangfire resque dramatiq",
        2.0,
    ),
    Row(
        "background_job",
        "import",
        "huey shared_task activejob backgroundservice node-cron gocron cron asynq schedule",
        2.0,
    ),
    Row("background_job", "name", "worker job scheduler cron daemon tick perform", 1.1),
    Row("background_job", "name", "task poll enqueue run_forever batch", 0.6),
    Row("background_job", "path", "worker job scheduler cron daemon", 2.0),
    Row("background_job", "path", "task background", 1.2),
    # app_entrypoint
    Row("app_entrypoint", "feature", "http_server", 5.0, "no=test_function,dag"),
    Row(
        "app_entrypoint",
        "feature",
        "main_guard",
        3.0,
        "no=test_function,cli_args format=go,java,csharp,rust,kotlin,c,cpp",
    ),
    Row(
        "app_entrypoint",
        "import",
        "springbootapplication createroot reactdom createapp bootstrapapplication webapplication",
        4.0,
    ),
    Row(
        "app_entrypoint", "name", "create_app bootstrap startup configure_services lifespan start_server shutdown", 1.6
    ),
    Row(
        "app_entrypoint",
        "stem",
        "main app server program application index startup wsgi asgi manage bootstrap boot",
        2.0,
    ),
    Row("app_entrypoint", "path", "bootstrap startup entrypoint", 1.2),
    # business_logic
    Row("business_logic", "format", _CODE, 0.6, "no=test_function"),
    Row("business_logic", "feature", "class", 1.6, "no=test_function,abstract"),
    Row("business_logic", "feature", "function", 1.0, "min=2 no=test_function"),
    Row(
        "business_logic", "name", "order customer product inventory pricing discount cart shipment shipping stock", 0.9
    ),
    Row(
        "business_logic",
        "name",
        "service manager policy rule eligibility booking reservation workflow catalog loyalty",
        0.9,
    ),
    Row(
        "business_logic",
        "name",
        "apply approve cancel fulfil fulfill allocate quote warehouse employee account claim",
        0.7,
    ),
    Row("business_logic", "path", "service domain usecase business core logic rule workflow", 1.5),
    Row("business_logic", "path", "order cart inventory product catalog shipping booking pricing customer", 1.2),
    # report_generator
    Row("report_generator", "feature", "report_call", 5.0, "no=test_function,train_call,evaluate_call"),
    Row("report_generator", "feature", "report_call", 1.5, "has=train_call,evaluate_call"),
    Row(
        "report_generator",
        "import",
        "reportlab openpyxl xlsxwriter weasyprint fpdf pdfkit docx pptx itextpdf prawn",
        2.5,
    ),
    Row(
        "report_generator",
        "import",
        "exceljs pdfmake pdfkit jasperreports poi wkhtmltopdf dompdf tcpdf puppeteer axlsx",
        2.5,
    ),
    Row(
        "report_generator",
        "import",
        "jinja2 get_template weasyprint matplotlib savefig render_to_string",
        1.5,
        "has=file_io no=route",
    ),
    Row("report_generator", "name", "report pdf excel spreadsheet export xlsx statement", 1.2),
    Row("report_generator", "name", "chart render summary csv weekly monthly", 0.5),
    Row("report_generator", "path", "report reporting export pdf", 2.0),
    # metrics_module
    Row("metrics_module", "feature", "metric_call", 5.0, "no=test_function,train_call,evaluate_call,dag"),
    Row("metrics_module", "feature", "log_call", 0.6, "no=route,test_function"),
    Row(
        "metrics_module",
        "import",
        "prometheus_client opentelemetry statsd datadog micrometer structlog winston pino",
        2.0,
    ),
    Row(
        "metrics_module",
        "import",
        "loguru prometheus sentry_sdk ddtrace dictconfig basicconfig promauto newrelic serilog",
        2.0,
    ),
    Row("metrics_module", "name", "metric counter gauge histogram tracer tracing telemetry instrumentation", 1.3),
    Row("metrics_module", "name", "logger logging span configure_logging setup_logging formatter observe", 0.8),
    Row("metrics_module", "path", "metric telemetry observability instrumentation tracing logging logger", 2.0),
)
