import { ButtonLink } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './landing.module.css'

/** The way to a professional account, which begins on the consumer storefront, and to the professional shop. */
export function ProActions({ context, isLinked }: { context: ShopContext; isLinked: boolean }): ReactNode {
  const { t, mode, otherModeUrl } = context
  const conversion = paths.conversionFromB2c2B2b()
  if (mode === 'b2c') {
    const shop = isLinked ? otherModeUrl() : null
    return (
      <p className={styles.actions}>
        <ButtonLink href={conversion} size="l" rel="nofollow">
          {t('pro.open')}
        </ButtonLink>
        {shop !== null && (
          <ButtonLink href={shop} size="l" look="secondary">
            {t('pro.visit')}
          </ButtonLink>
        )}
      </p>
    )
  }
  return (
    <Enhance with="audience" when="load">
      <p className={styles.actions} data-audience="guests">
        <ButtonLink href={otherModeUrl(conversion) ?? conversion} size="l" rel="nofollow">
          {t('pro.open')}
        </ButtonLink>
        <ButtonLink href={paths.login()} size="l" look="secondary" rel="nofollow">
          {t('shell.sign-in')}
        </ButtonLink>
      </p>
      <p className={styles.actions} data-audience="customers" hidden>
        <ButtonLink href={paths.buyAgain()} size="l">
          {t('again.title')}
        </ButtonLink>
        <ButtonLink href={paths.customerArea()} size="l" look="secondary">
          {t('shell.account')}
        </ButtonLink>
      </p>
    </Enhance>
  )
}
