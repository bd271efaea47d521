select *
from {{ source('raw', 'customers') }}
where upper(status) = 'ACTIVE'
