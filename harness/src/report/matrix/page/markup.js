// markup
