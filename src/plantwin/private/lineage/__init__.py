"""Which object of today is which object of before: a new name or an edit must not buy a new budget."""
