import { ButtonLink, Container, EmptyState } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load({ t }: ShopContext) {
  return { data: null, title: t('messages.rated.title'), robots: 'noindex' }
}

/** Thanks a buyer for rating a seller's answer. */
export function Page({ context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container>
      <EmptyState
        icon="good"
        heading="h1"
        title={t('messages.rated.title')}
        actions={<ButtonLink href={paths.myMessages({ pageNumber: 1 })}>{t('messages.rated.back')}</ButtonLink>}
      >
        <p>{t('messages.rated.text')}</p>
      </EmptyState>
    </Container>
  )
}
