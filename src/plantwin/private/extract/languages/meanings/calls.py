"""What a called name tells, over all languages. Separators are written `.` whatever the language writes.

A dotted key matches a whole name or its last two parts; a bare key matches a call without a receiver.
A common word that tells something in one ecosystem alone is written with it: `ruby:let`.
"""

from __future__ import annotations

_CALLS: dict[str, str] = {
    "route": """
        http.HandleFunc http.Handle mux.HandleFunc Route.get Route.post Route.put Route.delete Route.resource
        Route.group Route.apiResource app.MapGet app.MapPost app.MapPut app.MapDelete app.MapControllers web.get
        web.post add_api_route app.add_url_rule app.include_router include_router api.add_resource
        register_blueprint app.register_blueprint router.register router.route app.route webapp2.WSGIApplication
        Route.any Route.match Route.resources Route.view Route.middleware router.add_get router.add_post web.route
        add_route r.Route r.Get r.Post r.Put r.Delete r.Mount app.mount router.mount server.tool createTRPCRouter
        websockets.serve asyncio.start_server WebSocketServer WebSocket.Server io.on
        publicProcedure.query publicProcedure.mutation generic:resources generic:live add_servicer_to_server
        ruby:resources
        ruby:namespace""",
    "http_server": """
        Flask FastAPI Starlette Sanic javascript:express Fastify http.createServer https.createServer app.listen
        server.listen http.ListenAndServe http.ListenAndServeTLS gin.Default gin.New echo.New fiber.New
        chi.NewRouter mux.NewRouter uvicorn.run app.run web.run_app web.Application SpringApplication.run
        runApplication embeddedServer WebApplication.CreateBuilder Host.CreateDefaultBuilder HttpServer.new
        axum.serve rocket.build grpc.NewServer NestFactory.create make_server HTTPServer ThreadingHTTPServer
        new_http_server createServer get_wsgi_application get_asgi_application""",
    "http_call": """
        fetch urlopen urllib.request.urlopen urlretrieve http.Get http.Post http.NewRequest
        http.NewRequestWithContext http.Client HttpClient.newHttpClient HttpRequest.newBuilder Net.HTTP.get
        Net.HTTP.start Net.HTTP.post curl_init curl_exec curl_easy_perform XMLHttpRequest HttpClient
        RestTemplate WebClient.create OkHttpClient http.client.HTTPSConnection HTTPSConnection
        grpc.insecure_channel grpc.secure_channel grpc.Dial Invoke-WebRequest Invoke-RestMethod client.Do
        javascript:axios
        URLSession.shared.data URLSession.shared.dataTask http.post http.get Http.get Http.post Http.withToken
        Http.withHeaders $fetch useFetch HTTPoison.get HTTPoison.post Req.get! Req.post! Tesla.get Tesla.post
        client/get
        client/post httr.GET httr.POST request.perform req_perform HTTP.get HTTP.post HTTP.request requests.Session
        httpx.Client httpx.AsyncClient aiohttp.ClientSession Faraday.new RestClient.get RestClient.post ureq.get
        reqwest.Client.new reqwest.get WebClient.builder HttpRequest.newBuilder SoapClient octokit.request""",
    "db_call": """
        cursor.execute cursor.executemany cursor.fetchall cursor.fetchone conn.execute connection.execute
        db.execute session.execute session.query db.session.query db.session.add db.session.commit
        session.commit session.add conn.cursor connection.cursor psycopg2.connect sqlite3.connect sql.Open
        db.Query db.QueryRow db.Exec db.QueryContext db.ExecContext db.QueryRowContext tx.Exec pool.query
        client.query db.query connection.query db.collection MongoClient jdbcTemplate.query jdbcTemplate.update
        jdbcTemplate.queryForObject entityManager.persist entityManager.find entityManager.createQuery
        DriverManager.getConnection prepareStatement mysqli_query pg_query mysqli_connect DB.table DB.select
        DB.insert DB.raw sqlx.query sqlx.query_as sqlite3_exec sqlite3_prepare_v2 PQexec PQexecParams dbConnect
        dbGetQuery create_engine createConnection createPool spark.sql SaveChangesAsync SaveChanges
        ExecuteReader ExecuteNonQuery ExecuteScalar
        Repo.all Repo.get Repo.get! Repo.one Repo.insert Repo.insert! Repo.update Repo.delete Repo.transaction
        jdbc/execute!
        jdbc/query jdbc.execute! dbExecute dbWriteTable table.get_item table.put_item table.query table.update_item
        table.delete_item getconn redis.get redis.set redis.hgetall kv.get db.get db.all db.run db.prepare db.exec
        pool.execute pool.connect QueryRowContext pgxpool.New sqlx.Connect mongo.Connect GetItemCommand PutItemCommand
        QueryCommand PgPoolOptions.new supabase.from db.selectFrom conn.fetch conn.fetchrow pool.acquire
        fetch_optional
        sqlx.query! sqlx.query_as! sqlx.query_scalar! query_as! ThreadedConnectionPool SimpleConnectionPool
        ConnectionPool
        database_sync_to_async em.find em.persist $wpdb.get_results wpdb.get_results wpdb.prepare mysqli_fetch_assoc
        PDO.prepare pdo.prepare""",
    "orm_model": """
        declarative_base mongoose.model mongoose.Schema sequelize.define mapped_column DbSet pgTable mysqlTable
        sqliteTable sa.Table python:Table belongs_to has_many has_one Ecto.Schema.schema belongsTo hasMany hasOne
        belongsToMany modelBuilder.Entity DataTypes.STRING""",
    "migration_op": """
        op.create_table op.drop_table op.add_column op.drop_column op.alter_column op.create_index op.drop_index
        op.create_foreign_key op.execute op.create_unique_constraint op.rename_table op.bulk_insert
        op.batch_alter_table migrations.CreateModel migrations.AddField migrations.AlterField
        migrations.RemoveField migrations.DeleteModel migrations.RunPython migrations.RunSQL
        migrations.RenameField migrations.AddIndex migrations.AddConstraint migrations.RenameModel
        migrations.AlterUniqueTogether schema.createTable schema.alterTable schema.dropTable
        schema.dropTableIfExists schema.table queryInterface.createTable queryInterface.addColumn
        queryInterface.dropTable queryInterface.removeColumn queryInterface.addIndex queryInterface.changeColumn
        queryInterface.addConstraint queryRunner.query queryRunner.createTable queryRunner.addColumn
        queryRunner.dropTable Schema.create Schema.table Schema.dropIfExists Schema.drop
        migrationBuilder.CreateTable migrationBuilder.AddColumn migrationBuilder.DropTable
        migrationBuilder.DropColumn migrationBuilder.CreateIndex migrationBuilder.AddForeignKey
        migrationBuilder.Sql create_table drop_table add_column remove_column rename_column change_column
        add_index remove_index add_reference add_foreign_key change_table add_timestamps pgm.createTable
        pgm.addColumns""",
    "mail_call": """
        send_mail send_mass_mail EmailMessage EmailMultiAlternatives smtplib.SMTP smtplib.SMTP_SSL smtp.SendMail
        nodemailer.createTransport sgMail.send transporter.sendMail mailSender.send Mail.to Mail.send
        Notification.send deliver_now deliver_later php:mail chat_postMessage SmtpClient messages.create
        sendEmail send_email sendMail send_notification sendNotification send_sms sendSms Send-MailMessage""",
    "queue_call": """
        KafkaProducer KafkaConsumer channel.basic_publish channel.basic_consume basic_publish basic_consume
        producer.send consumer.poll consumer.subscribe sqs.send_message sqs.receive_message sns.publish
        channel.sendToQueue channel.consume kafkaTemplate.send rabbitTemplate.convertAndSend perform_async
        perform_later apply_async publisher.publish subscriber.subscribe ch.Publish ch.Consume send_task
        sendMessage
        sqs.receive_message sqs.sendMessage ReceiveMessageCommand SendMessageCommand PublishCommand PutEventsCommand
        pubsub.publish topic.publish nc.Publish nc.Subscribe nc.QueueSubscribe r.xadd redis.publish redis.xadd
        redis.xreadgroup client.publish mqtt.Client mqtt.connect rd_kafka_produce eventBus.publish Broadway.start_link
        Consumer.new Producer.new""",
    "scheduled": """
        schedule.every cron.schedule cron.New scheduler.add_job add_periodic_task crontab BackgroundScheduler
        BlockingScheduler IntervalTrigger CronTrigger time.NewTicker scheduleAtFixedRate scheduleWithFixedDelay
        RecurringJob.AddOrUpdate sidekiq_options queue_as new_cron
        Process.send_after timer.send_interval time.AfterFunc time.Tick tokio.time.interval interval.tick
        Timer.scheduledTimer Timer.periodic ScheduledThreadPoolExecutor newScheduledThreadPool PeriodicTimer
        schedule.scheduleJob cron.AddFunc c.AddFunc xTaskCreate vTaskDelay vTaskDelayUntil k_work_schedule
        register_shutdown WorkManager.getInstance""",
    "auth_call": """
        login_user logout_user authenticate check_password set_password make_password check_password_hash
        generate_password_hash verify_password hash_password get_password_hash create_access_token
        create_refresh_token decode_token verify_token issue_token verify_jwt login_required jwt_required
        passport.use passport.authenticate passport.serializeUser passport.initialize signIn signOut signUp
        signInWithPopup signInWithEmailAndPassword createUserWithEmailAndPassword useAuth getServerSession
        useSession ruby:sign_in ruby:sign_out authenticate_user has_secure_password authenticate_by ruby:devise
        password_verify password_hash Auth.attempt Auth.login Auth.logout Auth.check Hash.check Hash.make
        jwt.encode jwt.decode jwt.sign jwt.verify jwt.ParseWithClaims jwt.NewWithClaims Jwts.builder Jwts.parser
        bcrypt.hashpw bcrypt.checkpw bcrypt.compare bcrypt.hash bcrypt.CompareHashAndPassword
        bcrypt.GenerateFromPassword BCryptPasswordEncoder passwordEncoder.matches passwordEncoder.encode
        PasswordSignInAsync CheckPasswordAsync CheckPasswordSignInAsync SignOutAsync AddAuthentication
        AddJwtBearer UseAuthentication UseAuthorization AddIdentity UserManager OAuth2PasswordBearer HTTPBearer
        HTTPBasic OAuth OAuth2Session pam_authenticate totp.verify pyotp.TOTP
        UsernamePasswordAuthenticationToken authenticationManager.authenticate
        httpSecurity.authorizeHttpRequests session.regenerate require_login current_user permission_classes
        hmac.compare_digest compare_digest crypto.timingSafeEqual timingSafeEqual hmac.Equal
        subtle.ConstantTimeCompare
        secure_compare SecurityUtils.secure_compare hash_equals MessageDigest.isEqual verify_signature verifySignature
        CryptographicOperations.FixedTimeEquals oauth.authorize_redirect oauth.authorize_access_token verify_id_token
        Bcrypt.verify_pass Argon2.verify_pass Guardian.encode_and_sign put_session configure_session session_start
        session_regenerate_id ruby:authenticate_or_request_with_http_basic reset_session
        SecurityContextHolder.getContext
        ClaimsIdentity HttpContext.SignInAsync argon2.verify argon2.hash jwtVerify SignJWT verifyIdToken
        pyotp.random_base32
        generateRegistrationOptions verifyAuthenticationResponse enforcer.Enforce hasRole hasAnyRole has_permission""",
    "payment_call": """
        stripe.Charge.create stripe.PaymentIntent.create stripe.Refund.create Charge.create PaymentIntent.create
        paymentIntents.create charges.create refunds.create checkout.sessions.create javascript:stripe
        loadStripe confirmCardPayment useStripe create_charge charge_card create_payment_intent capture_payment
        process_payment refund_payment create_refund createPaymentIntent capturePayment processPayment
        refundPayment chargeCard createCharge createRefund issue_refund issueRefund webhooks.constructEvent
        Webhook.construct_event webhooks.constructEventAsync gateway.transaction.sale transaction.sale
        paymentintent.New charge.New refund.New""",
    "crypto_call": """
        hashlib.sha256 hashlib.sha512 hashlib.sha3_256 hashlib.blake2b hashlib.pbkdf2_hmac hashlib.scrypt
        hmac.new Fernet Fernet.generate_key AESGCM AES.new ChaCha20Poly1305 Cipher rsa.generate_private_key
        crypto.createCipheriv crypto.createDecipheriv crypto.createHmac crypto.randomBytes crypto.createHash
        crypto.scryptSync crypto.pbkdf2Sync crypto.subtle.encrypt subtle.encrypt subtle.decrypt createHash
        createHmac aes.NewCipher cipher.NewGCM sha256.Sum256 sha256.New hmac.New Cipher.getInstance
        KeyGenerator.getInstance MessageDigest.getInstance Mac.getInstance OpenSSL.Cipher.new
        Digest.SHA256.hexdigest Aes.Create SHA256.Create openssl_encrypt openssl_decrypt random_bytes
        sodium_crypto_secretbox hash_hmac EVP_EncryptInit_ex EVP_DigestInit_ex secrets.token_hex
        secrets.token_urlsafe secrets.compare_digest""",
    "weak_crypto": """
        hashlib.md5 hashlib.sha1 md5 sha1 md5.new md5.New md5.Sum sha1.New sha1.Sum des.NewCipher rc4.NewCipher
        DES.new ARC4.new DES3.new Digest.MD5.hexdigest Digest.SHA1.hexdigest MD5.Create SHA1.Create DES.Create
        MD5CryptoServiceProvider DESCryptoServiceProvider RC2CryptoServiceProvider c:MD5 MD5_Init SHA1_Init
        php:md5_file php:crypt CryptoJS.MD5 CryptoJS.SHA1 CryptoJS.DES.encrypt crypto.createCipher
        DigestUtils.md5Hex DigestUtils.sha1Hex""",
    "insecure_call": """
        eval exec execfile os.system os.popen commands.getoutput pickle.loads pickle.load cPickle.loads
        marshal.loads shelve.open dill.loads jsonpickle.decode yaml.unsafe_load yaml.full_load
        ssl._create_unverified_context tempfile.mktemp child_process.exec child_process.execSync execSync
        document.write javascript:Function vm.runInNewContext setTimeoutString Runtime.getRuntime
        ObjectInputStream XMLDecoder ScriptEngine.eval Marshal.load YAML.load instance_eval class_eval html_safe
        php:unserialize shell_exec php:passthru php:popen proc_open php:assert_eval BinaryFormatter
        Process.Start c:strcpy c:strcat c:gets c:sprintf c:vsprintf php:system c:system ruby:system
        render_template_string mark_safe bypassSecurityTrustHtml urllib3.disable_warnings disable_warnings
        set_verify_disabled danger_accept_invalid_certs Invoke-Expression iex""",
    "log_call": """
        logging.info logging.debug logging.warning logging.error logging.exception logging.critical
        logging.getLogger getLogger get_logger LoggerFactory.getLogger Logger.getLogger LogManager.GetLogger
        console.error console.warn console.info console.debug log.Printf log.Println log.Fatal log.Fatalf
        log.Print slog.Info slog.Error slog.Warn slog.Debug error_log syslog info! warn! error! debug! trace!
        log.info! log.error! tracing.info! tracing.error! tracing.warn! tracing.debug! Rails.logger.info
        Rails.logger.error Log.info Log.error Log.d Log.e Log.i Log.w warnings.warn NSLog os_log Write-Verbose""",
    "print_call": """
        print python:pprint ruby:pp ruby:puts console.log console.table fmt.Println fmt.Printf fmt.Print
        System.out.println System.out.printf System.out.print System.err.println jvm:println println! print!
        eprintln! dbg! c:printf c:putchar Console.WriteLine Console.Write Debug.WriteLine php:var_dump print_r
        fprintf generic:cat sys.stdout.write process.stdout.write Write-Host Write-Output debugPrint php:dump
        php:dd""",
    "concurrency": """
        asyncio.gather asyncio.create_task asyncio.run Promise.all Promise.allSettled threading.Thread
        threading.Lock ThreadPoolExecutor ProcessPoolExecutor multiprocessing.Process tokio.spawn thread.spawn
        Mutex.new Arc.new Thread.new Thread.start Executors.newFixedThreadPool CompletableFuture.supplyAsync
        Task.Run Task.WhenAll std.thread std.async pthread_create pthread_mutex_lock sync.WaitGroup wg.Add
        wg.Wait errgroup.WithContext jvm:launch jvm:async jvm:runBlocking jvm:withContext jvm:Future
        GenServer.start_link Task.async spawn_link""",
    "metric_call": """
        Gauge Histogram prometheus.NewCounter prometheus.NewCounterVec prometheus.NewHistogramVec
        prometheus.NewGauge prometheus.MustRegister statsd.increment statsd.timing meter.counter Counter.builder
        Timer.builder meterRegistry.counter tracer.start_as_current_span tracer.startSpan trace.get_tracer
        start_as_current_span sentry_sdk.init Sentry.init register.metrics
        otel.SetTracerProvider otel.Tracer otel.Meter sdktrace.NewTracerProvider NodeSDK TracerProvider MeterProvider
        tracing_subscriber.fmt tracing_subscriber.registry logging.config.dictConfig dictConfig
        winston.createLogger javascript:pino zap.NewProduction zap.NewDevelopment slog.SetDefault slog.NewJSONHandler
        structlog.configure LoggerConfiguration telemetry.attach telemetry.execute :telemetry.execute sentry.init
        promauto.NewCounter promauto.NewCounterVec promauto.NewHistogramVec promauto.NewGauge NewCounterVec
        Counter.build
        counter! histogram! gauge! increment_counter faulthandler.enable backtrace_symbols_fd
        PerformanceObserver
        tracemalloc.start pprof.StartCPUProfile cProfile.Profile""",
    "report_call": """
        savefig plt.savefig to_excel to_html to_latex HTML.write_pdf pdfkit.from_string canvas.Canvas
        SimpleDocTemplate Workbook openpyxl.Workbook xlsxwriter.Workbook Document.save XLSX.writeFile jsPDF
        page.pdf ggsave rmarkdown.render to_markdown write_image""",
    "env_read": """
        os.getenv os.environ.get environ.get getenv os.Getenv os.LookupEnv System.getenv std.env.var env.var
        Environment.GetEnvironmentVariable ENV.fetch load_dotenv dotenv.config godotenv.Load viper.GetString
        php:config python:secret System.get_env Sys.getenv getEnv php:env""",
    "secret_ref": """
        get_secret_value secretsmanager.get_secret_value access_secret_version get_secret getSecretValue
        GetSecretValue vault.read client.secrets.kv.read_secret_version Secret.from_name""",
    "file_io": """
        open io.open read_text write_text read_bytes write_bytes os.Open os.ReadFile os.WriteFile os.Create
        ioutil.ReadFile ioutil.WriteFile fs.readFile fs.readFileSync fs.writeFile fs.writeFileSync
        fs.createReadStream fs.createWriteStream readFileSync writeFileSync readFile writeFile File.open
        File.read File.write IO.read File.ReadAllText File.WriteAllText File.ReadAllLines File.OpenRead
        StreamReader StreamWriter Files.readString Files.write Files.lines Files.newBufferedReader FileReader
        FileWriter FileInputStream FileOutputStream BufferedReader fopen fread fwrite fgets file_get_contents
        file_put_contents File.create fs.read_to_string fs.write std.ifstream std.ofstream ifstream ofstream
        Source.fromFile readLines writeLines readRDS saveRDS Get-Content Set-Content Out-File io.lines
        File.stream! File.read!""",
    "date_logic": """
        timedelta datetime.timedelta datetime.now datetime.utcnow datetime.today date.today datetime.strptime
        strptime strftime relativedelta dateutil.parser.parse time.Now time.Since time.Parse time.Duration
        time.AddDate LocalDate.now LocalDateTime.now Instant.now Duration.between ChronoUnit.DAYS.between
        javascript:moment javascript:dayjs differenceInDays addDays subDays addMonths parseISO formatDistance
        DateTime.AddDays DateTime.UtcNow Date.parse Date.now Time.now Date.today Time.zone.now Carbon.now
        strtotime php:mktime date_diff difftime as.Date Utc.now pd.to_datetime pd.Timedelta to_datetime
        date_trunc datediff""",
    "test_function": """
        javascript:it ruby:it javascript:test jvm:test elixir:test javascript:describe ruby:describe
        javascript:context ruby:context javascript:specify describe.each it.each test.each test.describe it.skip
        test.skip describe.only ruby:feature ruby:scenario RSpec.describe t.Run b.Run c:TEST TEST_F TEST_P
        TEST_CASE BOOST_AUTO_TEST_CASE test_that unittest.main pytest.main ginkgo.Describe Describe XCTestCase
        testWidgets
        generic:deftest generic:testset @testset test.it generic:TestCase bun.test Deno.test ginkgo.It
        elixir:describe FeatureSpec it.concurrent test.concurrent cy.visit scenario describe_table test_that""",
    "assertion": """
        javascript:expect ruby:expect assert assertEquals assertEqual assertTrue assertFalse assertNull
        assertNotNull assertThat assertThrows assertRaises assertSame assert.Equal assert.NoError assert.Nil
        assert.True assert.equal assert.strictEqual assert.deepEqual require.NoError require.Equal t.Error
        t.Errorf t.Fatal t.Fatalf assert! assert_eq! assert_ne! Assert.Equal Assert.AreEqual Assert.True
        Assert.That Assert.IsTrue Assert.Throws EXPECT_EQ ASSERT_EQ EXPECT_TRUE ASSERT_TRUE EXPECT_FALSE
        c:REQUIRE c:CHECK expect_equal expect_true expect_error pytest.raises assert_equal assert_response
        assert_difference assertContains XCTAssertEqual XCTAssertTrue ruby:should jvm:verify""",
    "fixture": """
        Mock MagicMock AsyncMock python:patch mock.patch patch.object monkeypatch.setattr jest.fn jest.mock
        jest.spyOn vi.fn vi.mock vi.spyOn sinon.stub sinon.spy beforeEach afterEach beforeAll afterAll
        javascript:before ruby:before javascript:after ruby:after ruby:let ruby:let! build_stubbed
        FactoryBot.create FactoryBot.define FactoryBot.build create_list gomock.NewController Mockito.when
        Mockito.mock jvm:mock jvm:when jvm:every Faker httptest.NewRecorder httptest.NewServer TestClient
        APIClient RequestFactory baker.make SubFactory setUp tearDown
        RSpec.configure base.extend test.extend setup_all on_exit ExUnit.start Mox.defmock defmock nock
        msw.setupServer
        setupServer http.HttpResponse GenericContainer PostgreSQLContainer sqlmock.New respx.mock requests_mock.Mocker
        Cypress.Commands.add use_fixtures generic:setup TestBed.configureTestingModule testing.TB t.Helper TestMain
        factory.define Factory.define faker.seed fc.record""",
    "benchmark": """
        timeit.timeit timeit.repeat timeit.Timer perf_counter time.perf_counter time.perf_counter_ns
        console.time performance.now Benchmark.bm Benchmark.measure Benchmark.ips c:BENCHMARK criterion_group!
        criterion_main! b.ResetTimer b.ReportAllocs BenchmarkRunner.Run microbenchmark bench_function
        system.time
        @btime @benchmark BenchmarkGroup Benchee.run benchmark.Fixture hyperfine bencher.iter black_box
        microbenchmark.microbenchmark System.nanoTime Stopwatch.StartNew clock_gettime bench.mark Measure.method""",
    "cli_args": """
        ArgumentParser argparse.ArgumentParser OptionParser OptionParser.new click.command click.group
        typer.Typer typer.run docopt fire.Fire getopt.getopt javascript:yargs javascript:commander program.parse
        program.option flag.Parse flag.String flag.Int flag.Bool pflag.Parse cobra.Command rootCmd.Execute
        Command.new App.new clap.App.new Parser.parse Args.parse Cli.parse c:getopt
        getopt_long CommandLine.execute GetOptions parse_args add_argument
        GetOptionsFromArray OptionParser.parse OptionParser.parse! ArgParser ArgParse.ArgumentParser
        tools.cli/parse-opts
        parse-opts make_option parse_args_into_dataclasses Argument.new CommandLine.Parser.Default.ParseArguments
        absl.app.run parse_command_line cmdliner Cmd.v execParser getopts parseArgs
        util.parseArgs""",
    "bare_args": "commandArgs env.args std.env.args",
    "deprecated": "deprecated util.deprecate lifecycle.deprecate_warn ",
    "component": """
        createElement React.createElement defineComponent React.memo React.forwardRef forwardRef javascript:memo
        createApp
        tk.Tk QMainWindow QWidget love.graphics.print love.graphics.draw love.graphics.rectangle lv_obj_create
        lv_label_create
        gr.Interface gr.Blocks st.title st.button shinyApp dash.Dash setContentView AlertDialog.Builder runApp""",
    "hook": """
        useState useEffect useReducer useContext useMemo useCallback useRef useLayoutEffect useSelector
        useDispatch useNavigate useParams useRouter useQuery useMutation useForm useStore createSlice
        createStore configureStore createContext createAsyncThunk combineReducers defineStore createRouter
        createBrowserRouter createPinia javascript:writable javascript:readable javascript:derived
        javascript:ref javascript:reactive javascript:computed javascript:watch onMounted Vuex.Store
        javascript:signal createSignal useSWR createReducer javascript:atom BrowserRouter createMachine
        BehaviorSubject ReplaySubject createSelector createEffect createFeatureSelector createActions useRoute
        onBeforeMount
        useLocation useSearchParams useAtom makeAutoObservable makeObservable javascript:observable javascript:effect
        useSyncExternalStore provideRouter RouterModule.forRoot createWebHistory createMemoryRouter
        StateNotifierProvider
        ChangeNotifierProvider notifyListeners""",
    "model_layer": """
        nn.Linear nn.Conv2d nn.Conv1d nn.LSTM nn.GRU nn.Embedding nn.Dropout nn.BatchNorm2d nn.LayerNorm
        nn.Sequential nn.MultiheadAttention nn.TransformerEncoder nn.TransformerEncoderLayer nn.ReLU
        nn.MaxPool2d nn.ModuleList nn.Parameter nn.Flatten layers.Dense layers.Conv2D layers.LSTM layers.Dropout
        layers.Embedding layers.Flatten layers.BatchNormalization layers.MaxPooling2D layers.Input
        keras.Sequential keras.Model python:Dense python:Conv2D python:LSTM nn.Dense nn.Conv tf.layers.dense
        nn.ConvTranspose2d nn.Softmax""",
    "model_load": """
        torch.load load_state_dict from_pretrained keras.models.load_model load_model joblib.load
        model.load_weights load_weights xgb.Booster tf.saved_model.load mlflow.pyfunc.load_model
        mlflow.sklearn.load_model ort.InferenceSession onnxruntime.InferenceSession InferenceSession hub.load
        torch.hub.load spacy.load load_from_checkpoint tf.loadLayersModel tf.loadGraphModel torch.jit.load
        SentenceTransformer pipeline
        lgb.Booster CatBoostClassifier.load_model Session.builder commit_from_file with_model_from_file
        ort.InferenceSession.create InferenceSession.create tract_onnx.onnx load_learner BSON.load
        createInferenceSession AutoModel.from_pretrained YOLO""",
    "evaluate_call": """
        accuracy_score f1_score precision_score recall_score roc_auc_score confusion_matrix
        classification_report mean_squared_error mean_absolute_error r2_score log_loss average_precision_score
        roc_curve precision_recall_curve cross_val_score cross_validate precision_recall_fscore_support
        balanced_accuracy_score evaluate.load model.evaluate trainer.evaluate
        jiwer.wer jiwer.cer wer cer corpus_bleu sentence_bleu rouge_scorer.RougeScorer sacrebleu.corpus_bleu
        COCOeval ndcg_score
        mean_absolute_percentage_error root_mean_squared_error matthews_corrcoef cohen_kappa_score brier_score_loss
        calibration_curve ConfusionMatrixDisplay.from_predictions det_curve top_k_accuracy_score confusionMatrix
        yardstick
        seqeval evaluator.evaluate BinaryClassificationEvaluator MulticlassClassificationEvaluator RegressionEvaluator
        silhouette_score hamming_loss jaccard_score""",
    "tune_call": """
        GridSearchCV RandomizedSearchCV HalvingGridSearchCV BayesSearchCV optuna.create_study study.optimize
        trial.suggest_float trial.suggest_int trial.suggest_categorical tune.run tune.Tuner fmin wandb.sweep
        wandb.agent ParameterGrid""",
    "drift_call": """
        ks_2samp chi2_contingency wasserstein_distance population_stability_index calculate_psi psi_score
        DataDriftPreset KSDrift jensenshannon TabularDrift compute_drift detect_drift check_drift
        psi compute_psi MMDDrift ChiSquareDrift ks.test kstest anderson_ksamp DataDriftTable
       
        ColumnDriftMetric ClassifierDrift PageHinkley ADWIN jensen_shannon_distance js_distance""",
    "train_call": """
        loss.backward optimizer.step trainer.train trainer.fit python:Trainer SFTTrainer TrainingArguments
        train_test_split xgb.train lgb.train model.fit clf.fit pipeline.fit fit_transform pl.Trainer L.Trainer
        optim.Adam optim.SGD optim.AdamW torch.optim.Adam torch.optim.SGD torch.optim.AdamW fit_one_cycle
        learn.fit model.compile train_model train_epoch""",
    "dataframe_call": """
        pd.read_csv pd.read_parquet pd.read_json pd.read_excel pd.read_sql pd.read_table pd.merge pd.concat
        pd.DataFrame pd.pivot_table pl.read_csv pl.scan_csv pl.scan_parquet pl.DataFrame spark.read.csv
        spark.read.parquet spark.createDataFrame SparkSession.builder.getOrCreate dd.read_csv pd.cut
        pd.get_dummies read.csv read_csv read_parquet
        CSV.read CSV.write CSV.File DataFrame innerjoin leftjoin outerjoin dropmissing transform! pl.read_parquet
        pl.scan_ndjson pl.concat write.csv write_csv write_parquet read_tsv read_delim fread left_join inner_join
        bind_rows group_by pivot_longer pivot_wider summarise mutate beam.Map beam.FlatMap beam.ParDo beam.Pipeline
        ReadFromText WriteToText WriteToBigQuery xr.open_dataset env.from_source t_env.execute_sql spark.read.json
        spark.readStream LazyFrame.scan_parquet CsvReader.from_path ds/->dataset gpd.read_file""",
    "extract_call": """
        urlretrieve urllib.request.urlretrieve download_file s3.download_file s3.get_object pd.read_html
        pd.read_sql_query BeautifulSoup ftp.retrbinary sftp.get load_dataset kaggle.api.dataset_download_files
        yf.download copy_expert fetch_all_pages download_fileobj list_objects_v2
        download.file rvest.read_html html_nodes feedparser.parse scrapy.Request response.follow sftp.listdir
        ftp.nlst ftp.cwd storage.download_to_filename blob.download_to_filename gsutil download_to_file urlretrieve""",
    "dag": """
        python:DAG BashOperator PythonOperator EmptyOperator DummyOperator PostgresOperator
        KubernetesPodOperator ExternalTaskSensor S3KeySensor set_downstream set_upstream python:chain
        python:TaskGroup python:Definitions define_asset_job python:Node python:Pipeline dsl.pipeline luigi.run
        luigi.build luigi.Parameter flow.serve
        python:Flow dg.Definitions ScheduleDefinition build_schedule_from_dbt_selection
        workflow.execute_activity""",
    "data_check": """
        expect_column_values_to_not_be_null expect_column_values_to_be_unique expect_column_values_to_be_between
        expect_column_values_to_be_in_set expect_table_row_count_to_be_between expect_column_to_exist
        DataFrameSchema pa.DataFrameSchema pa.Column pa.Check VerificationSuite ExpectationSuite run_checkpoint
        add_expectation run_validation Check.isComplete validate_dataframe""",
    "foreign_key": """
        ForeignKey models.ForeignKey db.ForeignKey sa.ForeignKey models.ManyToManyField models.OneToOneField""",
    "feature_flag": "is_enabled isEnabled feature_enabled variation boolVariation flag_is_active Flipper.enabled",
}

CALLS: dict[str, str] = {name: feature for feature, names in _CALLS.items() for name in names.split()}
