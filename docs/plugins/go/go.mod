module callfitplugin

go 1.19
