from fastapi import APIRouter, Depends, HTTPException, status

from courier.client import CourierClient, CourierDown
from courier.models import Pickup
from deps import courier, current_customer

router = APIRouter(prefix="/pickups", tags=["pickups"])


@router.get("/slots")
def slots(postcode: str, client: CourierClient = Depends(courier)) -> list[dict]:
    try:
        return [slot.as_json() for slot in client.slots(postcode)]
    except CourierDown as error:
        raise HTTPException(status.HTTP_503_SERVICE_UNAVAILABLE) from error


@router.post("", status_code=status.HTTP_201_CREATED)
def book(pickup: Pickup, client: CourierClient = Depends(courier), customer=Depends(current_customer)) -> dict:
    if pickup.parcels > customer.daily_limit:
        raise HTTPException(status.HTTP_422_UNPROCESSABLE_ENTITY, "too many parcels")
    return {"id": client.book(pickup)}


@router.delete("/{pickup_id}", status_code=status.HTTP_204_NO_CONTENT)
def cancel(pickup_id: str, client: CourierClient = Depends(courier)) -> None:
    client.cancel(pickup_id)
