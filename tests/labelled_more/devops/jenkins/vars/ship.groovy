def call(Map opts = [:]) {
    def image = "registry.example.net/${opts.name}:${env.BUILD_NUMBER}"
    pipeline {
        agent { label opts.label ?: 'linux' }
        options {
            timeout(time: 40, unit: 'MINUTES')
            disableConcurrentBuilds()
        }
        stages {
            stage('check') {
                parallel {
                    stage('unit') { steps { sh 'make unit' } }
                    stage('lint') { steps { sh 'make lint' } }
                }
            }
            stage('image') {
                steps {
                    sh "podman build -t ${image} ."
                    withCredentials([usernamePassword(credentialsId: 'registry', usernameVariable: 'U', passwordVariable: 'P')]) {
                        sh 'podman login -u "$U" -p "$P" registry.example.net'
                    }
                    sh "podman push ${image}"
                }
            }
            stage('deploy') {
                when { branch 'trunk' }
                steps { build job: 'deploy', parameters: [string(name: 'IMAGE', value: image)] }
            }
        }
        post { failure { slackSend channel: '#builds', message: "${opts.name} #${env.BUILD_NUMBER} failed" } }
    }
}
