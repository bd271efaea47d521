"""Words that are everywhere, and so say little of what an object or a goal is about."""

from __future__ import annotations

from typing import Final

_EVERYWHERE: Final = """
a about above all also am an and any are arg args array as async at await be been bool boolean 
but by can catch char class const constructor could cpp def default del dict did div do
does doing done double elif else endif enum eq except exports extends extern false final
float fn for foreach from func function get give go got goto had has have having he her here hers him
his how href html http https i id if impl implements in include init int into is isinstance
isn it its just kwargs lambda len let li like list ll look loop main make map me mixed mod more
most much mut my need new nil no none nor not now null num object of on one only or other our out
over own param params pass please pre print protected pub raise re return returns
s same see self set she should show so some span src static str string struct sub such super
t take tbody td tell th than that the their them then there these they thing things this
those throw tmp to too tr true try tuple type typedef typename typing ul under unsigned up us use used uses
using val value values var ve very via void volatile want was we were what when where which while who whom why
will with would www xml yield you your
"""
_ASKING: Final = """
happen happens happening somebody someone people
able actually again almost along already always although among another anyone anybody around away back become
becomes because being below best better big both bring came cannot certain come comes correctly couple current
currently day days despite different during each either else end enough even everybody everyone exactly far few first
five follow former four fully further goes hour hours however instead keep keeps kept kind know last late least left
less long longer lot made main many maybe mean means might must near never new next nobody none nonsense nothing off
often old once ones open or others otherwise our part perhaps place places place put quite rather right run runs said
second seem seems several since six small soon sort still sure ten third though three through till time times together
told towards try trying twice two until usually way ways well went whether whose whole within without work works wrong
year years yet
across after against analyse analyze anything audit bad been before between check code compare could ever
everything examine explain file files find folder going good happened here inspect last list look month ones
please project ready really repo repository review right safe something state still summarize sure tell there
thing things today unsafe want week whether why wrong yesterday
"""

STOP: Final = frozenset(_EVERYWHERE.split())
"""Words of English, of code and of markup that say nothing of what a file is about."""
POLITE: Final = frozenset(_ASKING.split())
"""Words of a goal that ask, or stand for anything."""
