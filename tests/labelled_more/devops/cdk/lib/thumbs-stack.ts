import { Duration, Stack, StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Code, Function, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export class ThumbsStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { queue: Queue }) {
    super(scope, id, props);

    const make = new Function(this, 'Make', {
      runtime: Runtime.NODEJS_20_X,
      architecture: Architecture.ARM_64,
      handler: 'make.handler',
      code: Code.fromAsset('dist/thumbs'),
      memorySize: 1536,
      timeout: Duration.seconds(40),
      tracing: Tracing.ACTIVE,
    });
    make.addEventSource(new SqsEventSource(props.queue, { batchSize: 5 }));

    const sweep = new Function(this, 'Sweep', {
      runtime: Runtime.NODEJS_20_X,
      handler: 'sweep.handler',
      code: Code.fromAsset('dist/thumbs'),
      reservedConcurrentExecutions: 1,
    });
    new events.Rule(this, 'Nightly', {
      schedule: events.Schedule.cron({ hour: '2', minute: '10' }),
      targets: [new targets.LambdaFunction(sweep)],
    });
  }
}
