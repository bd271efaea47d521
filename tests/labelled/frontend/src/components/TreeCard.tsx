import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Badge } from "./Badge";
import styles from "./TreeCard.module.css";

export interface TreeCardProps {
  name: string;
  variety: string;
  plantedYear: number;
  health: "good" | "watch" | "poor";
  onWater: () => Promise<void>;
}

export function TreeCard({ name, variety, plantedYear, health, onWater }: TreeCardProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);

  async function water() {
    setBusy(true);
    try {
      await onWater();
    } finally {
      setBusy(false);
    }
  }

  return (
    <article className={styles.card}>
      <header>
        <h3>{name}</h3>
        <Badge tone={health}>{t(`health.${health}`)}</Badge>
      </header>
      <p>
        {variety}, {t("planted", { year: plantedYear })}
      </p>
      <button type="button" disabled={busy} onClick={water}>
        {t("water")}
      </button>
    </article>
  );
}
