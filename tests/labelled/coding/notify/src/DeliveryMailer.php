<?php

namespace ParcelHub\Notify;

use Psr\Log\LoggerInterface;
use Symfony\Component\Mailer\MailerInterface;
use Symfony\Component\Mime\Email;
use Symfony\Component\Notifier\Message\SmsMessage;
use Symfony\Component\Notifier\TexterInterface;

final class DeliveryMailer
{
    public function __construct(
        private MailerInterface $mailer,
        private TexterInterface $texter,
        private LoggerInterface $logger,
        private string $from,
    ) {
    }

    public function outForDelivery(Recipient $to, string $trackingCode, \DateTimeImmutable $window): void
    {
        $email = (new Email())
            ->from($this->from)
            ->to($to->email)
            ->subject(sprintf('Parcel %s arrives today', $trackingCode))
            ->text(sprintf('We expect to be with you around %s.', $window->format('H:i')));
        $this->mailer->send($email);

        if ($to->wantsSms) {
            $this->texter->send(new SmsMessage($to->phone, 'Your parcel arrives around ' . $window->format('H:i')));
        }
        $this->logger->info('delivery notice sent', ['code' => $trackingCode]);
    }
}
