package parcelhub.core

import scala.concurrent.{ExecutionContext, Future}

/** What every step of the sorting line extends; see the `lines` module for implementations. */
trait Handler[In, Out] {
  def name: String

  def run(input: In)(implicit ec: ExecutionContext): Future[Out]

  final def andThen[Next](next: Handler[Out, Next]): Handler[In, Next] = {
    val self = this
    new Handler[In, Next] {
      val name = s"${self.name}>${next.name}"
      def run(input: In)(implicit ec: ExecutionContext): Future[Next] = self.run(input).flatMap(next.run)
    }
  }
}

abstract class Stateless[In, Out](val name: String) extends Handler[In, Out] {
  protected def apply(input: In): Out
  final def run(input: In)(implicit ec: ExecutionContext): Future[Out] = Future(apply(input))
}

object Handler {
  def identity[A]: Handler[A, A] = new Stateless[A, A]("identity") {
    protected def apply(input: A): A = input
  }
}
