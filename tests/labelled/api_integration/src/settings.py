from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

BASE_DIR = Path(__file__).resolve().parent


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", env_prefix="", extra="ignore")

    debug: bool = False
    log_level: str = "info"
    courier_base_url: str = "https://sandbox.courier.example/v2"
    courier_api_key: SecretStr = Field(default=SecretStr(""))
    courier_timeout: float = 10.0
    retry_attempts: int = 4
    database_url: str = "sqlite:///local.db"
    allowed_origins: list[str] = ["http://localhost:5173"]


settings = Settings()
