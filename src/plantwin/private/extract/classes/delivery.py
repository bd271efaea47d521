"""Rows for the delivery family: building, testing and releasing."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "deploy_manifest": "config",
    "container_build": "config",
    "ci_pipeline": "config code_file",
    "job_script": "code_file config",
    "task_runner": "config code_file",
    "build_manifest": "config code_file",
    "generated_artifact": "code_file config structured_record document",
}

ROWS = (
    # deploy_manifest
    Row("deploy_manifest", "feature", "workload", 6.5),
    Row("deploy_manifest", "feature", "compose_service", 7.0),
    Row("deploy_manifest", "feature", "image_ref", 1.5, "no=ci_job,build_step"),
    Row("deploy_manifest", "format", "procfile", 5.0),
    Row("deploy_manifest", "file", "docker-compose.yml docker-compose.yaml compose.yml compose.yaml chart.yaml", 5.0),
    Row("deploy_manifest", "file", "kustomization.yaml kustomization.yml skaffold.yaml procfile app.yaml fly.toml",
        5.0),
    Row("deploy_manifest", "file", "values.yaml render.yaml serverless.yml vercel.json netlify.toml helmfile.yaml",
        4.5),
    Row("deploy_manifest", "folder", "k8s kubernetes manifests helm charts deploy overlays", 2.0, "format=yaml,json"),
    Row("deploy_manifest", "path", "deploy deployment k8s kubernetes helm chart compose manifest",
        1.8, "format=yaml,json,toml"),
    # container_build
    Row("container_build", "format", "dockerfile", 9.0),
    Row("container_build", "feature", "build_step", 2.0, "format=dockerfile"),
    Row("container_build", "file", "docker-bake.hcl docker-bake.json bake.hcl .buildpacks project.pkr.hcl", 6.0),
    Row("container_build", "path", "docker dockerfile container image", 1.0, "format=dockerfile,yaml,hcl"),
    # ci_pipeline
    Row("ci_pipeline", "feature", "ci_job", 7.0),
    Row("ci_pipeline", "format", "jenkinsfile", 6.0),
    Row("ci_pipeline", "folder", ".github/workflows .circleci .buildkite .gitlab/ci .woodpecker", 5.0, "format=yaml"),
    Row("ci_pipeline", "file", ".gitlab-ci.yml .travis.yml azure-pipelines.yml appveyor.yml bitbucket-pipelines.yml",
        5.5),
    Row("ci_pipeline", "file", ".drone.yml cloudbuild.yaml buildspec.yml jenkinsfile action.yml .cirrus.yml", 5.5),
    Row("ci_pipeline", "path", "ci workflow pipeline release", 1.0, "format=yaml,jenkinsfile"),
    # job_script
    Row("job_script", "format", "shell", 5.0, "no=test_function"),
    Row("job_script", "feature", "command", 1.5, "kind=code_file"),
    Row("job_script", "format", "crontab", 5.0),
    Row("job_script", "feature", "schedule", 1.0, "format=crontab"),
    Row("job_script", "import", "subprocess fabric paramiko invoke shutil ansible", 0.7),
    Row("job_script", "name", "deploy backup restore install rollback cleanup provision rotate prune", 1.0),
    Row("job_script", "path", "script deploy backup restore install cleanup maintenance ops provision setup bin",
        1.3, "notformat=html,css"),
    Row("job_script", "feature", "playbook", 9.0),
    # task_runner
    Row("task_runner", "format", "makefile", 6.5),
    Row("task_runner", "feature", "task", 2.5, "format=makefile"),
    Row("task_runner", "feature", "task", 4.0, "notformat=makefile no=dependency,ci_job,locked"),
    Row("task_runner", "feature", "task", 0.8, "has=dependency"),
    Row("task_runner", "file", "rakefile justfile .justfile gulpfile.js gruntfile.js taskfile.yml tasks.py noxfile.py",
        6.0),
    Row("task_runner", "file", "invoke.yaml taskfile.yaml dodo.py fabfile.py tox.ini lerna.json turbo.json nx.json",
        4.5),
    Row("task_runner", "import", "gulp grunt invoke nox rake doit", 1.5),
    Row("task_runner", "path", "task make", 0.7, "format=makefile,ruby,yaml"),
    # build_manifest
    Row("build_manifest", "feature", "build_step", 4.0, "notformat=dockerfile no=dependency,ci_job"),
    Row("build_manifest", "feature", "build_step", 1.0, "notformat=dockerfile has=dependency"),
    Row("build_manifest", "file", "cmakelists.txt meson.build setup.py build.bazel build workspace webpack.config.js",
        6.0),
    Row("build_manifest", "file",
        "vite.config.js vite.config.ts rollup.config.js next.config.js build.gradle build.sbt",
        6.0),
    Row("build_manifest", "file", "build.gradle.kts settings.gradle settings.gradle.kts pom.xml build.xml configure.ac",
        5.5),
    Row("build_manifest", "file",
        "makefile.am makefile.in meson_options.txt build.rs binding.gyp manifest.in babel.config.js",
        5.5),
    Row("build_manifest", "file",
        "nuxt.config.ts nuxt.config.js vue.config.js angular.json esbuild.config.js next.config.mjs",
        5.5),
    Row("build_manifest", "file", "*.csproj *.gemspec *.podspec *.cmake *.nuspec *.spec", 5.0),
    Row("build_manifest", "format", "gradle cmake", 5.0),
    Row("build_manifest", "format", "recipe", 5.0, "has=build_step"),
    Row("build_manifest", "stem", "vite webpack rollup next nuxt vue astro esbuild metro rspack tsup parcel"
        " rolldown electron-builder",
        6.0, "format=javascript,typescript,json,yaml no=route,component"),
    Row("build_manifest", "import", "setuptools distutils", 2.0, "uses=setup"),
    Row("build_manifest", "import", "webpack vite rollup esbuild", 2.0),
    Row("build_manifest", "name", "add_executable add_library target_link_libraries", 2.0),
    Row("build_manifest", "path", "build cmake webpack bundle", 1.0),
    # generated_artifact
    Row("generated_artifact", "feature", "generated_marker", 8.0, "no=locked,dependency"),
    Row("generated_artifact", "file", "*.min.js *.min.css *.js.map *.css.map *.d.ts.map *.pb.go *.g.dart *.bundle.js",
        6.0),
    Row("generated_artifact", "feature", "minified", 8.0),
    Row("generated_artifact", "folder", "dist", 2.0, "format=javascript,css,typescript,json"),
    Row("generated_artifact", "folder", "dist build generated __generated__ gen .next out", 3.0),
    Row("generated_artifact", "path", "generated min bundle autogen", 2.0),
)
