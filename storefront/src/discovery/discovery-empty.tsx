import { ButtonLink, EmptyState } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

/** Without results, or when the search is unavailable: links elsewhere. */
export function DiscoveryEmpty({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <EmptyState
      icon="search"
      title={t('discovery.empty.title')}
      actions={
        <>
          <ButtonLink href={paths.goodDeals()}>{t('shell.deals')}</ButtonLink>
          <ButtonLink href="/" look="secondary">
            {t('listing.home')}
          </ButtonLink>
        </>
      }
    >
      {t('discovery.empty.text')}
    </EmptyState>
  )
}
