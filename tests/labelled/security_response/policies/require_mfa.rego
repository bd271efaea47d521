package access.admin

import rego.v1

default allow := false

allow if {
	input.user.mfa
	"admin" in input.user.groups
	not risky
}

risky if input.network.country in data.blocked_countries

risky if {
	time.now_ns() - input.user.last_password_change_ns > 90 * 24 * 60 * 60 * 1000000000
}

deny contains msg if {
	not input.user.mfa
	msg := "a second factor is required"
}
