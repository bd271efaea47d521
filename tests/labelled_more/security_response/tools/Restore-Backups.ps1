#Requires -RunAsAdministrator
param(
    [Parameter(Mandatory)] [string] $ComputerName,
    [string[]] $Allow = @('10.44.9.10', '10.44.9.11'),
    [switch] $WhatIf
)

# cuts a workstation off but keeps the forensic hosts connected
$session = New-PSSession -ComputerName "$ComputerName.cabin.internal"
Invoke-Command -Session $session -ArgumentList (,$Allow), $WhatIf {
    param($Allow, $WhatIf)
    New-NetFirewallRule -DisplayName 'IR allow' -Direction Inbound -RemoteAddress $Allow -Action Allow -WhatIf:$WhatIf
    Set-NetFirewallProfile -All -DefaultInboundAction Block -DefaultOutboundAction Block -WhatIf:$WhatIf
    Get-ScheduledTask | Where-Object Author -eq '' | Disable-ScheduledTask -WhatIf:$WhatIf
    quser | Select-Object -Skip 1 | ForEach-Object { logoff ($_ -split '\s+')[2] }
}
Remove-PSSession $session
Write-Output "$ComputerName cut off $(Get-Date -Format o)"
