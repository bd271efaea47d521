#!/usr/bin/perl
# slow.pl [-n N] [-t MS] file...   top statements by total time from a postgres log
use strict;
use warnings;
use Getopt::Std;

my %o = (n => 10, t => 0);
getopts('n:t:h', \%o) or die "usage: $0 [-n N] [-t MS] file...\n";

my (%ms, %hits);
while (<>) {
    next unless /duration: ([\d.]+) ms\s+(?:execute \S+|statement): (.*)/;
    my ($d, $q) = ($1, $2);
    next if $d < $o{t};
    $q =~ s/'[^']*'/?/g;
    $q =~ s/\b\d+\b/?/g;
    $q =~ s/\s+/ /g;
    $ms{$q} += $d;
    $hits{$q}++;
}

my $i = 0;
for my $q (sort { $ms{$b} <=> $ms{$a} } keys %ms) {
    last if $i++ >= $o{n};
    printf "%10.1f %6d  %s\n", $ms{$q}, $hits{$q}, substr($q, 0, 120);
}
