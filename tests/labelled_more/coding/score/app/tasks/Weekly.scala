package tasks

import javax.inject.{Inject, Singleton}
import scala.concurrent.{ExecutionContext, Future}
import scala.concurrent.duration._
import org.apache.pekko.actor.ActorSystem
import play.api.{Configuration, Logging}
import play.api.inject.ApplicationLifecycle
import repos.{Standings, Matches}

@Singleton
class Weekly @Inject() (
    system: ActorSystem,
    conf: Configuration,
    matches: Matches,
    standings: Standings,
    lifecycle: ApplicationLifecycle
)(implicit ec: ExecutionContext)
    extends Logging {

  private val every = conf.get[FiniteDuration]("score.refresh")

  private val handle = system.scheduler.scheduleWithFixedDelay(30.seconds, every) { () =>
    run().failed.foreach(logger.error("refresh failed", _))
  }

  lifecycle.addStopHook(() => Future.successful(handle.cancel()))

  private def run(): Future[Unit] =
    for {
      open <- matches.finishedSince(standings.lastRun)
      _ <- Future.traverse(open.groupBy(_.league).toSeq) { case (l, ms) => standings.recompute(l, ms) }
    } yield logger.info(s"${open.size} matches")
}
