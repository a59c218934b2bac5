import { Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { wishlistField as field } from './wishlist-form.ts'

interface Props {
  sites: readonly { id: string; name: string }[]
  chosen?: string | undefined
  error?: string | undefined
  context: ShopContext
}

/** Which building site of the company a list belongs to; nothing for everybody who orders for none. */
export function SiteChoice({ sites, chosen, error, context: { t } }: Props): ReactNode {
  if (sites.length === 0) return null
  return (
    <Select
      id="site"
      name={field('siteId')}
      label={t('wishlist.site')}
      hint={t('wishlist.site.hint')}
      defaultValue={chosen ?? ''}
      error={error}
      options={[{ value: '', label: t('wishlist.site.none') }, ...sites.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
