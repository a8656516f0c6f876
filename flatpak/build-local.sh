#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds, installs and starts the Flatpak on a runtime made of Debian packages, without Flathub. The
# runtime stands in for org.gnome.Platform: it proves the sandbox, the manifest's modules and where
# files land, not that Foredeck builds on GNOME's own runtime. All of it stays in one folder.
set -eu

usage ()
{
  cat <<'END'
Usage: flatpak/build-local.sh [FOLDER]

Makes FOLDER (default: build-flatpak) hold a Debian-made runtime, a private Flatpak installation and
Foredeck in it. Needs mmdebstrap, flatpak, flatpak-builder and, unless you are root, user namespaces.
The runtime is kept: remove FOLDER/platform and FOLDER/sdk to make it anew.
END
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac

cd "$(dirname "$0")/.."
root=$PWD
folder=${1:-$root/build-flatpak}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
app=app.foredeck.Foredeck
stand_in=$app.StandIn
suite=${FOREDECK_FLATPAK_SUITE:-bookworm}
arch=$(dpkg --print-architecture)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch)
export FLATPAK_USER_DIR="$folder/installation"

build-aux/install-deps flatpak

# What GNOME's runtime has, in Debian's names; libgit2, libyaml and cmark-gfm are the manifest's own.
platform=ca-certificates,libgtk-4-1,libadwaita-1-0,libgtksourceview-5-0,libjson-glib-1.0-0
platform=$platform,libsqlite3-0,adwaita-icon-theme,librsvg2-common,libglib2.0-bin,fontconfig
platform=$platform,fonts-cantarell,fonts-noto-core,dbus-daemon,gsettings-desktop-schemas
sdk=$platform,gcc,g++,libc6-dev,make,cmake,meson,ninja-build,pkgconf,gettext,git,autoconf,automake
sdk=$sdk,libtool,libgtk-4-dev,libgtk-4-bin,libadwaita-1-dev,libgtksourceview-5-dev,libjson-glib-dev
sdk=$sdk,libsqlite3-dev,libpcre2-dev,zlib1g-dev,desktop-file-utils,appstream,appstream-util,patch
sdk=$sdk,file

# make_tree NAME PACKAGES ID: a tree as Flatpak wants runtimes.
make_tree ()
{
  tree=$folder/$1
  [ -f "$tree/metadata" ] && return
  rm -rf "$tree" "$tree.part"
  # Flatpak wants the folder “files” to be there, also where “usr” is what counts.
  mkdir -p "$tree.part/files"
  mode=unshare
  [ "$(id -u)" -eq 0 ] && mode=root
  mmdebstrap --quiet --mode="$mode" --variant=apt --include="$2" "$suite" "$tree.part/root"
  mv "$tree.part/root/usr" "$tree.part/usr"
  cp -a "$tree.part/root/etc" "$tree.part/usr/etc"
  rm -rf --one-file-system "$tree.part/root"
  # Caches that the packages' triggers made in /var are of no use in a runtime.
  rm -rf "$tree.part/usr/share/doc" "$tree.part/usr/share/man"
  find "$tree.part/usr" \( -type c -o -type b -o -type p \) -delete
  cat >"$tree.part/metadata" <<END
[Runtime]
name=$stand_in.$3
runtime=$stand_in.Platform/$(flatpak --default-arch)/1
sdk=$stand_in.Sdk/$(flatpak --default-arch)/1

[Environment]
GI_TYPELIB_PATH=/app/lib/girepository-1.0
PKG_CONFIG_PATH=/app/lib/pkgconfig:/app/share/pkgconfig:/usr/lib/$multiarch/pkgconfig:/usr/share/pkgconfig
END
  mv "$tree.part" "$tree"
}

export_tree ()
{
  flatpak build-export --runtime --no-update-summary "$folder/runtimes" "$folder/$1" 1 >/dev/null
}

# The manifest as it is, but for the runtime's name and for what old flatpak-builders cannot do there.
write_manifest ()
{
  python3 - "$root/flatpak/$app.json" "$folder/$app.json" "$stand_in" "$root" <<'END'
import json
import sys

source, target, stand_in, root = sys.argv[1:]
with open(source, encoding='utf-8') as file:
    manifest = json.load(file)
manifest['runtime'] = stand_in + '.Platform'
manifest['sdk'] = stand_in + '.Sdk'
manifest['runtime-version'] = '1'
manifest['appstream-compose'] = False
for module in manifest['modules']:
    for item in module['sources']:
        if item['type'] == 'dir':
            item['path'] = root
with open(target, 'w', encoding='utf-8') as file:
    json.dump(manifest, file, indent=2)
END
}

echo "Runtime ($suite, $arch)"
make_tree platform "$platform" Platform
make_tree sdk "$sdk" Sdk
if [ ! -d "$folder/runtimes" ]; then
  export_tree platform
  export_tree sdk
  flatpak build-update-repo "$folder/runtimes" >/dev/null
fi
flatpak --user remote-add --if-not-exists --no-gpg-verify stand-in "$folder/runtimes"
flatpak --user install -y --noninteractive --or-update stand-in \
  "$stand_in.Platform//1" "$stand_in.Sdk//1" >/dev/null

echo "Foredeck"
write_manifest
offline=
builder ()
{
  $offline flatpak-builder --user --force-clean --disable-rofiles-fuse \
    --state-dir="$folder/state" "$@"
}
# Sources are checked against the manifest's sums and kept; what is built from them sees no network.
builder --download-only "$folder/build" "$folder/$app.json"
unshare --net true 2>/dev/null && offline='unshare --net'
builder --disable-download --repo="$folder/apps" --install "$folder/build" "$folder/$app.json"

echo "Trial"
flatpak run --user --command=foredeckctl "$app" version
echo "Start the window with: FLATPAK_USER_DIR=$FLATPAK_USER_DIR flatpak run $app"
