import type { RequiredOptions } from 'prettier'

export const parser: RequiredOptions['parser'] = text => text.length
