import { Button } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import styles from './quick-order.module.css'

/** Barcodes by the camera or from a picture. It stays hidden without a script, which alone can read them. */
export function ScanButtons({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <div
      className={styles.scan}
      role="group"
      aria-label={t('quick-order.scan.title')}
      hidden
      data-scan
      data-start={t('quick-order.scan.start')}
      data-stop={t('quick-order.scan.stop')}
      data-opening={t('quick-order.scan.opening')}
      data-looking={t('quick-order.scan.looking')}
      data-found={t('quick-order.scan.found', { code: '%' })}
      data-nothing={t('quick-order.scan.nothing')}
      data-denied={t('quick-order.scan.denied')}
      data-absent={t('quick-order.scan.absent')}
      data-busy={t('quick-order.scan.busy')}
      data-broken={t('quick-order.scan.broken')}
    >
      <Button type="button" look="secondary" data-scan-start aria-expanded="false" aria-controls="scan-view">
        {t('quick-order.scan.start')}
      </Button>
      <label className={styles.picture}>
        <span>{t('quick-order.scan.picture')}</span>
        <input type="file" accept="image/*" data-scan-picture />
      </label>
      <p role="status" data-scan-status />
      <video id="scan-view" className={styles.view} playsInline muted hidden aria-label={t('quick-order.scan.view')} />
    </div>
  )
}
