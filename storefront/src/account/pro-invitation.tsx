import { Button, ButtonLink } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { SuspectedProLevel } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './account.module.css'

/** Suspected enough to be asked; without segments nobody is. */
export function mayBePro(level: SuspectedProLevel | undefined): boolean {
  return level === 'HIGH_SUSPECTED_PRO' || level === 'VERY_HIGH_SUSPECTED_PRO'
}

/** Invites a customer who seems to buy for a company; whoever says no is not asked again. */
export function ProInvitation({ context: { t } }: { context: Pick<ShopContext, 't'> }): ReactNode {
  return (
    <Enhance with="pro-invitation" when="load">
      <section className={`${styles.card} ${styles.form}`} aria-labelledby="pro-invitation">
        <h2 id="pro-invitation">{t('pro-modal.suspected.title')}</h2>
        <p>{t('pro-modal.suspected.text')}</p>
        <p className={styles.actions}>
          <ButtonLink href={paths.conversionFromB2c2B2b()}>{t('pro-modal.suspected.convert')}</ButtonLink>
          <Button type="button" look="secondary" hidden data-not-pro>
            {t('pro-modal.suspected.private')}
          </Button>
        </p>
      </section>
    </Enhance>
  )
}
