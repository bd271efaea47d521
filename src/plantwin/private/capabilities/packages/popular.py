"""Well-known packages, by which names that are meant to be taken for them are known. Not complete."""

from __future__ import annotations

from functools import cache

from plantwin.private.capabilities.packages.entry import normal
from plantwin.private.extract.formats.words import words

_NAMES = {
    "pypi": """
aiohttp alembic ansible anyio apache-airflow argon2-cffi arrow asyncpg attrs azure-core babel bcrypt beautifulsoup4
black bleach boto3 botocore bottle cachetools celery certifi cffi chardet charset-normalizer click colorama
coverage cryptography cython dask datasets django django-filter djangorestframework docker docutils fastapi
filelock flake8 flask flask-cors flask-sqlalchemy fsspec gevent gitpython google-api-core google-auth
google-cloud-storage greenlet grpcio gunicorn h11 httpcore httplib2 httpx huggingface-hub hypothesis idna
importlib-metadata ipython isort itsdangerous jedi jinja2 jmespath joblib jsonschema jupyter keras kombu kubernetes
langchain lightgbm loguru lxml mako markdown markupsafe marshmallow matplotlib mock msgpack multidict mypy
mysqlclient networkx nltk notebook numba numpy oauthlib openai openpyxl opencv-python orjson packaging pandas
paramiko passlib pendulum pillow pip platformdirs playwright plotly poetry polars prometheus-client protobuf psutil
psycopg psycopg2 psycopg2-binary pyarrow pyasn1 pycparser pycryptodome pydantic pygments pyjwt pylint pymongo
pymysql pyodbc pyopenssl pyparsing pyspark pytest pytest-cov python-dateutil python-dotenv python-jose
python-multipart pytz pywin32 pyyaml pyzmq redis regex reportlab requests requests-oauthlib rich rsa ruff
s3transfer scikit-learn scipy seaborn selenium sentry-sdk setuptools simplejson six snowflake-connector-python
sqlalchemy sqlparse starlette statsmodels streamlit sympy tabulate tenacity tensorflow tiktoken tokenizers toml
torch torchvision tornado tox tqdm transformers twisted typer typing-extensions tzdata ujson urllib3 uvicorn uvloop
virtualenv watchdog websocket-client websockets werkzeug wheel wrapt xgboost xlrd xmltodict yarl zipp
zope-interface
""",
    "npm": """
@angular/core @babel/core @babel/preset-env @types/node @types/react ajv angular ansi-styles apollo-server async
autoprefixer axios babel-core babel-loader bcrypt bcryptjs bluebird body-parser bootstrap browserify chai chalk
cheerio chokidar classnames clsx color colors commander compression concurrently cookie cookie-parser core-js cors
cross-env cross-spawn crypto-js css-loader d3 date-fns dayjs debug deepmerge dotenv ejs electron email-validator
esbuild eslint eslint-config-prettier eslint-plugin-import eslint-plugin-react express express-session faker
fastify file-loader follow-redirects form-data fs-extra glob graphql gulp handlebars helmet highlight.js history
html-webpack-plugin husky immer immutable inquirer ioredis jest jquery js-yaml jsdom jsonwebtoken knex koa lerna
less lint-staged lodash lru-cache marked material-ui mime minimatch minimist mkdirp mocha moment mongodb mongoose
morgan multer mustache mysql mysql2 nanoid next node-fetch node-sass nodemailer nodemon nuxt nyc ora passport
passport-jwt pg pino pm2 postcss prettier prisma prop-types puppeteer qs ramda react react-dom react-redux
react-router react-router-dom readable-stream redis redux redux-thunk request rimraf rollup rxjs sass sass-loader
semver sequelize serve sharp shelljs sinon socket.io socket.io-client source-map string-width strip-ansi
style-loader styled-components superagent supertest svelte tailwindcss terser three through2 ts-jest ts-loader
ts-node tslib typeorm typescript uglify-js underscore underscore.string url-loader uuid validator vite vitest vue
vue-router vuex webpack webpack-cli webpack-dev-server winston ws xml2js yargs yup zod zone.js
""",
    "cargo": """
actix-web anyhow async-trait axum base64 bincode bitflags bytes chrono clap crossbeam diesel dirs env_logger
futures hashbrown hyper indexmap itertools lazy_static libc log memchr mio nix num num_cpus once_cell openssl
parking_lot proc-macro2 quote rand rayon regex reqwest ring rocket rusqlite rustls serde serde_derive serde_json
serde_yaml sha2 smallvec sqlx structopt syn tempfile thiserror time tokio toml tonic tower tracing
tracing-subscriber url uuid walkdir warp winapi
""",
    "rubygems": """
actionmailer actionpack activerecord activesupport aws-sdk bcrypt bootsnap bundler capistrano capybara devise
dotenv factory_bot faraday ffi httparty i18n jbuilder json jwt kaminari listen mysql2 nokogiri omniauth pg pry puma
pundit rack rails rake redis rest-client rspec rspec-rails rubocop sass-rails sassc selenium-webdriver sidekiq
sinatra sprockets sqlite3 thor turbolinks tzinfo uglifier unicorn webmock webpacker zeitwerk
""",
    "packagist": """
doctrine/orm fideloper/proxy friendsofphp/php-cs-fixer fzaninotto/faker guzzlehttp/guzzle laravel/framework
laravel/sanctum laravel/tinker league/flysystem mockery/mockery monolog/monolog nesbot/carbon phpmailer/phpmailer
phpunit/phpunit predis/predis psr/log ramsey/uuid symfony/console symfony/http-foundation symfony/http-kernel
symfony/yaml twig/twig vlucas/phpdotenv
""",
}
SQUATS = {
    "pypi": words(
        "beautifulsoup bs4- colourama crypt djanga diango easyinstall jeilyfish libpeshnx mumpy opencv openvc "
        "python-dateutils python-mongo python-mysql python-openssl python-sqlite python3-dateutil reqeusts "
        "request requessts requestes requets sklearn setup-tools smplejson tensorfow urlib3 urllib ctx- pwd "
        "pyscrapy selenuim nunpy pandsa pytz3-dev colorsama "
    ),
    "npm": words(
        "babelcli cofee-script coffescript cross-env.js crossenv d3.js discordi.js electorn eslint-scope- "
        "expres fabric-js ffmepg gruntcli http-proxy.js jquery.js loadsh lodahs lodashs mariadb- mongose "
        "mssql.js mssql-node node-fabric node-opencv node-opensl node-openssl node-sqlite node-tkinter "
        "nodecaffe nodefabric nodemailer-js nodemailer.js nodemssql noderequest nodesass nodesqlite "
        "openssl.js proxy.js shadowsock smb sqlite.js sqliter sqlserver tkinter twilio-npm axois momnet "
        "reacct "
    ),
}  # fmt: skip
"""Names that were published in order to be taken for others, or that stand in for the right one."""
_HONEST = words(
    "tslint jslint csslint "
    "preact redux reduct chai koa mime vuex nuxt next pino test tests color colors ajv asyncio click "
    "flask rich typer toml tomli rsa pip pg ws qs lxml marko mako pyjwt psycopg2 psycopg mysql mysql2 "
    "redis rediss fastapi vite vitest jest react request requests attr attrs pylint yarn yargs less sass "
    "sassc nyc torch regex quote rand num log rack rake thor tower tokio mio nix ring time syn tox nox "
    "ujson rjson hjson cjson pytest polars dask uuid cuid ulid nanoid bcrypt scrypt pycrypto pycryptodome "
    "pycryptodomex pymysql bluebird cookies cookie history express babel numba moment gulp glob globs "
    "chalk minimist minimatch types typing mypy mock marked markdown markdown2 watchdog watchdogs "
    "requests-mock httpx https aiohttp pandas geopandas urllib3 pymongo mongodb mongoose "
)


@cache
def names(ecosystem: str) -> frozenset[str]:
    """The well-known names of a registry."""
    return frozenset(normal(ecosystem, each) for each in _NAMES.get(ecosystem, "").split())


def lookalike(ecosystem: str, name: str) -> str:
    """The well-known name that one could be taken for; empty where it is itself known, or far from all."""
    known = names(ecosystem)
    own = normal(ecosystem, name)
    if not known or own in known or own in _HONEST or len(own) > 60:
        return ""
    if own in SQUATS.get(ecosystem, ()):
        return min(known, key=lambda each: (_distance(own, each), each))
    if len(own) < 5:
        return ""
    flat = own.replace("-", "").replace("_", "").replace(".", "")
    for each in sorted(known):
        if len(each) < 5 or each.startswith("@") != own.startswith("@"):
            continue
        if ecosystem != "pypi" and flat == each.replace("-", "").replace("_", "").replace(".", ""):
            return each
        if abs(len(each) - len(own)) <= 1 and _distance(own, each) == 1:
            return each
    return ""


def _distance(one: str, other: str) -> int:
    """How many letters have to be changed, added, dropped or swapped with the next."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, start=1):
        last, row = row, [index] + [0] * len(other)
        for at, held in enumerate(other, start=1):
            row[at] = min(last[at] + 1, row[at - 1] + 1, last[at - 1] + (letter != held))
            if index > 1 and at > 1 and letter == other[at - 2] and one[index - 2] == held:
                row[at] = min(row[at], before[at - 2] + 1)
        before = last
    return row[-1]


DEVELOPMENT = {
    "pypi": words(
        "pytest pytest-cov pytest-mock pytest-xdist black flake8 mypy pylint ruff isort tox nox coverage "
        "pre-commit bandit hypothesis ipdb pytest-asyncio twine sphinx autopep8 factory-boy mock "
    ),
    "npm": words(
        "eslint jest mocha chai nodemon prettier webpack-dev-server ts-node ts-jest sinon nyc husky "
        "lint-staged cypress playwright vitest supertest @types/node @types/react eslint-config-prettier "
        "concurrently karma storybook tslint "
    ),
    "rubygems": words(
        "rspec rspec-rails rubocop pry byebug factory_bot capybara webmock simplecov "
    ),
    "packagist": words(
        "phpunit/phpunit mockery/mockery friendsofphp/php-cs-fixer phpstan/phpstan fzaninotto/faker "
    ),
}  # fmt: skip
"""Tools of developers, which a product does not need to run."""
