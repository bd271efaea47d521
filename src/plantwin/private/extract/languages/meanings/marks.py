"""What decorators, annotations, attributes, base classes and fixed spellings tell, over all languages."""

from __future__ import annotations

from plantwin.private.extract.languages.meanings.words import words

# the last part of a decorator or annotation, or its last two parts
_DECORATORS: dict[str, str] = {
    "route": """
        route app.route bp.route blueprint.route app.get app.post app.put app.delete app.patch router.get
        router.post router.put router.delete router.patch api.route api_view action websocket strawberry.type
        strawberry.mutation GetMapping PostMapping PutMapping DeleteMapping PatchMapping RequestMapping
        RestController Controller Path GET POST PUT DELETE PATCH WebServlet Get Post Put Delete Patch Resolver
        Query Mutation ApiController HttpGet HttpPost HttpPut HttpDelete HttpPatch Route get post put delete
        patch rocket.get rocket.post MessageMapping GraphQLQuery QueryMapping MutationMapping QueryResolver
        ApiResource endpoint router.api_route app.api_route app.websocket GrpcService strawberry.field
        http.route HttpTrigger FunctionName function_name""",
    "http_call": "FeignClient RegisterRestClient GetExchange PostExchange HttpExchange",
    "http_server": "SpringBootApplication NestFactory actix_web.main",
    "orm_model": "Entity Table Document MappedSuperclass Embeddable Queryable Insertable Schema",
    "db_call": "Repository Transactional transaction.atomic Dao",
    "scheduled": """
        shared_task celery.task app.task celery_app.task Scheduled EnableScheduling Cron Interval periodic_task
        dramatiq.actor huey.task DisallowConcurrentExecution Processor dramatiq.actor task_queue.task background every
        ScheduledTask TimerTrigger modal.function schedule.every""",
    "queue_call": "KafkaListener RabbitListener JmsListener SqsListener StreamListener MessagePattern EventPattern",
    "auth_call": """
        login_required permission_required jwt_required requires_auth auth_required PreAuthorize Secured
        RolesAllowed Authorize AllowAnonymous UseGuards user_passes_test EnableWebSecurity roles_required
        token_required EnableMethodSecurity staff_member_required""",
    "test_function": """
        Test ParameterizedTest RepeatedTest pytest.mark.parametrize parametrize Fact Theory TestMethod TestCase
        TestClass TestFixture test tokio.test rstest given SpringBootTest WebMvcTest DataJpaTest RunWith
        ExtendWith async_test unittest.skip skipIf skipUnless pytest.mark.asyncio DataProvider QuarkusTest""",
    "fixture": """
        pytest.fixture fixture BeforeEach AfterEach BeforeAll AfterAll Before After SetUp TearDown MockBean Mock
        InjectMocks patch mock.patch patch.object OneTimeSetUp TestInitialize BeforeClass responses.activate
        mock_s3 Spy factory pytest_asyncio.fixture""",
    "benchmark": "Benchmark BenchmarkMode bench",
    "deprecated": "deprecated Deprecated Obsolete warnings.deprecated typing_extensions.deprecated",
    "cli_args": """
        click.command click.group click.option click.argument app.command cli.command typer.command Parameters
        Option CommandLine.Command Verb command Command""",
    "type_only": "dataclass dataclasses.dataclass attr.s attrs.define define dataclass_json Data Value",
    "abstract": "abstractmethod abc.abstractmethod runtime_checkable FunctionalInterface abstractproperty",
    "serve_call": "bentoml.service bentoml.api bentoml.Service serve.deployment serve.ingress",
    "dag": """
        task.bash prefect.flow prefect.task dagster.asset dsl.component dsl.pipeline multi_asset""",
    "component": "javascript:Component Composable customElement javascript:Directive Preview",
    "hook": "Store HiltViewModel Action Reducer State Selector riverpod",
    "metric_call": "Timed Counted WithSpan Observed",
    "concurrency": "asynccontextmanager Async synchronized ThreadSafe asyncio.coroutine",
    "insecure_call": "csrf_exempt CrossOrigin",
    "data_check": "pa.check check_types validates asset_check",
}
DECORATORS: dict[str, str] = {name: feature for feature, names in _DECORATORS.items() for name in names.split()}

# the last part of a base class, interface or mixin, or its last two parts
_BASES: dict[str, str] = {
    "abstract": "ABC ABCMeta Protocol Interface typing.Protocol",
    "type_only": """
        Enum IntEnum StrEnum Flag IntFlag NamedTuple TypedDict BaseModel BaseSettings Struct msgspec.Struct
        Data.define Schema Serializer ModelSerializer From TryFrom Display Deref""",
    "orm_model": """
        db.Model models.Model DeclarativeBase SQLModel ApplicationRecord ActiveRecord.Base gorm.Model MongoModel
        Document EmbeddedDocument DbContext IdentityDbContext JpaRepository CrudRepository Eloquent
        Authenticatable IntIdTable LongIdTable TimeStampedModel""",
    "migration_op": "migrations.Migration ActiveRecord.Migration Migration AbstractMigration MigrationInterface",
    "test_function": """
        TestCase unittest.TestCase IsolatedAsyncioTestCase APITestCase TransactionTestCase LiveServerTestCase
        FunSuite AnyFunSuite FlatSpec AnyFlatSpec WordSpec StringSpec FunSpec BehaviorSpec Minitest.Test
        ActiveSupport.TestCase ActionDispatch.IntegrationTest XCTestCase PHPUnit.Framework.TestCase
        SimpleTestCase""",
    "fixture": "DjangoModelFactory Factory factory.Factory SQLAlchemyModelFactory",
    "route": """
        APIView ViewSet ModelViewSet GenericViewSet View TemplateView ListView DetailView CreateView UpdateView
        DeleteView FormView MethodView Resource RequestHandler ControllerBase Controller ApplicationController
        ActionController.Base ActionController.API Sinatra.Base Sinatra.Application HttpServlet
        AbstractController HTTPEndpoint GraphQLObject BaseHTTPRequestHandler SimpleHTTPRequestHandler Servicer
        BaseController Endpoint WebSocketEndpoint Hub GraphQLView RestController ServiceBase ImplBase""",
    "form": "forms.Form forms.ModelForm FlaskForm UserCreationForm AuthenticationForm ModelForm AbstractType",
    "mail_call": "ApplicationMailer ActionMailer.Base Mailable Notification",
    "scheduled": """
        ApplicationJob ActiveJob.Base BackgroundService IHostedService IJob ShouldQueue Sidekiq.Worker
        Sidekiq.Job BaseCommand ScheduledTask TimerTask""",
    "auth_call": """
        BaseBackend ModelBackend AbstractUser AbstractBaseUser UserMixin OncePerRequestFilter
        WebSecurityConfigurerAdapter UserDetailsService IdentityUser AuthenticationProvider PassportStrategy
        Strategy BaseAuthentication TokenAuthentication BasePermission Devise.SessionsController
        AuthorizationHandler""",
    "serve_call": """
        TritonPythonModel BasePredictor LitAPI MLModel kserve.Model PythonModel pyfunc.PythonModel bentoml.Runnable
        TorchHandler VisionHandler ImageClassifier""",
    "model_layer": """
        nn.Module keras.Model tf.keras.Model Module layers.Layer LightningModule pl.LightningModule
        PreTrainedModel""",
    "train_call": "BaseEstimator ClassifierMixin RegressorMixin TransformerMixin",
    "component": """
        React.Component Component PureComponent React.PureComponent LitElement HTMLElement StatelessWidget
        StatefulWidget UIViewController Fragment AppCompatActivity Activity ViewComponent Vue ViewModel
        SvelteComponent ConsumerWidget HookWidget Widget QMainWindow QWidget QDialog tk.Frame ttk.Frame JFrame JPanel
        UITableViewCell UIView ConsumerStatefulWidget Screen App.Widget LiveComponent""",
    "concurrency": "Thread threading.Thread Process Runnable Callable Actor GenServer",
    "cli_args": "Thor Command CliktCommand cmd.Cmd",
    "dag": "BaseOperator BaseSensorOperator luigi.Task FlowSpec luigi.WrapperTask",
    "log_call": "logging.Handler logging.Formatter logging.Filter",
    "http_server": "Application SpringBootServletInitializer WebSocketConfigurer",
}
BASES: dict[str, str] = {name: feature for feature, names in _BASES.items() for name in names.split()}

# names that tell only where an import switched a group on: name -> (group, feature)
GROUPED_MARKS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(words("task dag flow asset op step sensor schedule job component pipeline"), ("dag", "dag")),
    **dict.fromkeys(words("Base Model Entity BaseEntity AuditedEntity TimestampMixin"), ("orm", "orm_model")),
    "actor": ("job", "scheduled"),
    "Layer": ("ml", "model_layer"),
    "BaseHandler": ("ml", "serve_call"),
}

# fixed spellings in code (never in comments or in strings): counted as they stand
MARKS: dict[str, dict[bytes, str]] = {
    "python": {
        b"shell=True": "insecure_call",
        b"verify=False": "insecure_call",
        b"CERT_NONE": "insecure_call",
        b"MODE_ECB": "weak_crypto",
        b"os.environ": "env_read",
        b"sys.argv": "bare_args",
        b"except": "error_handler",
        b"request.user = ": "auth_call",
        b"status=401": "auth_call",
        b"HTTP_401_": "auth_call",
        b"if False:": "dead_code",
        b"DeprecationWarning": "deprecated",
        b"  assert ": "assertion",
    },
    "javascript": {
        b"dangerouslySetInnerHTML": "insecure_call",
        b".innerHTML": "insecure_call",
        b"rejectUnauthorized: false": "insecure_call",
        b"v-html": "insecure_call",
        b"process.env": "env_read",
        b"import.meta.env": "env_read",
        b"process.argv": "bare_args",
        b"catch": "error_handler",
        b"@deprecated": "deprecated",
        b"if (false)": "dead_code",
        b"localStorage": "hook",
        b"req.user = ": "auth_call",
        b".status(401)": "auth_call",
        b"UnauthorizedException": "auth_call",
        b"new Date(": "date_logic",
        b"new Worker(": "concurrency",
    },
    "go": {
        b"InsecureSkipVerify: true": "insecure_call",
        b"if err != nil": "error_handler",
        b"recover()": "error_handler",
        b"os.Args": "bare_args",
        b"go func": "concurrency",
        b"make(chan": "concurrency",
        b"<-": "concurrency",
        b"gorm.Model": "orm_model",
        b"time.Hour": "date_logic",
        b"StatusUnauthorized": "auth_call",
        b"if false {": "dead_code",
    },
    "jvm": {
        b"catch (": "error_handler",
        b"catch {": "error_handler",
        b"case Failure(": "error_handler",
        b"synchronized": "concurrency",
        b"HttpStatus.UNAUTHORIZED": "auth_call",
        b"Runtime.getRuntime().exec": "insecure_call",
        b"TrustAllCerts": "insecure_call",
        b"ALLOW_ALL_HOSTNAME_VERIFIER": "insecure_call",
        b"csrf().disable()": "insecure_call",
        b"if (false)": "dead_code",
        b"LocalDate": "date_logic",
        b"suspend fun": "concurrency",
    },
    "ruby": {
        b"rescue": "error_handler",
        b"reset_session": "auth_call",
        b"ENV[": "env_read",
        b"ARGV": "bare_args",
        b"VERIFY_NONE": "insecure_call",
        b".html_safe": "insecure_call",
        b"skip_before_action :verify_authenticity_token": "insecure_call",
        b".days.ago": "date_logic",
        b".days.from_now": "date_logic",
        b"Thread.new": "concurrency",
        b"binding.pry": "print_call",
    },
    "rust": {
        b"Err(": "error_handler",
        b".map_err(": "error_handler",
        b"std::env::args": "bare_args",
        b"env::var": "env_read",
        b"danger_accept_invalid_certs(true)": "insecure_call",
        b"#[deprecated": "deprecated",
        b"Mutex<": "concurrency",
        b"mpsc::": "concurrency",
        b"if false {": "dead_code",
    },
    "c": {
        b"#if 0": "dead_code",
        b"catch (": "error_handler",
        b"std::cout": "print_call",
        b"std::cerr": "print_call",
        b"std::thread": "concurrency",
        b"std::mutex": "concurrency",
        b"[[deprecated": "deprecated",
        b"__attribute__((deprecated": "deprecated",
        b"argv[": "bare_args",
        b"SSL_VERIFY_NONE": "insecure_call",
    },
    "csharp": {
        b"catch": "error_handler",
        b"ServerCertificateCustomValidationCallback": "insecure_call",
        b"DangerousAcceptAnyServerCertificateValidator": "insecure_call",
        b"DateTime.Now": "date_logic",
        b"DateTime.UtcNow": "date_logic",
        b"TimeSpan.": "date_logic",
        b"DbSet<": "orm_model",
        b"lock (": "concurrency",
        b"Task.WhenAll": "concurrency",
        b"CipherMode.ECB": "weak_crypto",
        b"#if false": "dead_code",
    },
    "php": {
        b"catch (": "error_handler",
        b"$_ENV": "env_read",
        b"$_GET": "route",
        b"$_POST": "route",
        b"CURLOPT_SSL_VERIFYPEER, false": "insecure_call",
        b"$argv": "bare_args",
        b"password_verify(": "auth_call",
        b"if (false)": "dead_code",
    },
    "generic": {
        b"catch": "error_handler",
        b"rescue": "error_handler",
        b"pcall(": "error_handler",
        b"process.env": "env_read",
        b"System.get_env": "env_read",
        b"$env:": "env_read",
        b"$ENV{": "env_read",
        b"defmodule": "class",
    },
}
