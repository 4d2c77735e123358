@echo off
rem Starts the program on Windows, where nothing else can start bin/reverse-spec: the one
rem that came with the plugin, the one in the plugin's data directory, or one that is
rem installed.
setlocal
set "arch=amd64"
if /i "%PROCESSOR_ARCHITECTURE%"=="ARM64" set "arch=arm64"

set "program=%~dp0..\native\windows-%arch%\reverse-spec.exe"
if exist "%program%" goto start
set "data=%CLAUDE_PLUGIN_DATA%"
if not defined data set "data=%PLUGIN_DATA%"
set "program=%data%\bin\reverse-spec.exe"
if defined data if exist "%program%" goto start
set "program="
for %%p in (reverse-spec.exe) do set "program=%%~$PATH:p"
if defined program goto start

if "%~1"=="hook" exit /b 0
>&2 echo reverse-spec: there is no program for windows-%arch% in this plugin, in its data directory, or on PATH.
>&2 echo Install it and start again: an archive from https://github.com/reverse-spec/reverse-spec/releases, or
>&2 echo   go install github.com/reverse-spec/reverse-spec/cmd/reverse-spec@latest    (wants a C compiler)
exit /b 127

rem Hooks never get into anyone's way, not even those that an older program does not know.
:start
if "%~1"=="hook" goto hook
"%program%" %*
exit /b %errorlevel%

:hook
"%program%" %* 2>nul
exit /b 0
